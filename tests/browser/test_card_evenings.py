"""An evening of every game entered card by card on a phone, partly offline.

Each has a hand with its auction call by call, one that ends with a claim, entered and saved while the ledger
is down, and one that a side gives up. A script clicks the cards of the second and the third.
"""

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from engine.guide.random_hands import NAMES, random_hands
from engine.record import HandRecord, Tricks
from engine.record.incidents import Claim
from engine.scoring.score import score
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.audit import verify
from ledger.services.common.writing import Write
from ledger.services.table import start
from ledger.services.table.start import SessionDraft
from tests.browser.card_entry import CardPad, cards_of, contract_of
from tests.browser.conftest import seated
from tests.browser.pages import ScorerPhone
from tests.browser.test_outage import back_again
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

MIA = Access(1, Role.SCORER, "Mia")
EVENINGS = {
    "six-bid": 4,
    "frog": 3,
    "straight-solo": 3,
    "progressive": 4,
    "german-solo": 4,
    "crazy-solo": 7,
}
"""The number of players at the table."""

SEED = "evening 74"
"""Deals a misère that is given up, a doubled solo and a frog in Progressive, and partners in Crazy Solo."""


def hands_of(game: str) -> list[HandRecord]:
    """Return three random hands that follow each other: the deal moves one seat left."""
    players = NAMES[: EVENINGS[game]]
    hands = filter(is_plain, random_hands(game, players=len(players), seed=SEED))
    dealers = (players[-1], *players[:2])
    return [next(hand for hand in hands if hand.dealer == dealer) for dealer in dealers]


def is_plain(hand: HandRecord) -> bool:
    """Return whether all but the last trick show the partner, and nothing else was announced."""
    contract, tricks = hand.contract, hand.tricks
    if contract is None or contract.bidder is None or not tricks or contract.bid == "blind":
        return False
    endings = (hand.conceded, hand.stopped, hand.asked_partner, hand.spit, contract.announced_tout)
    return not any(endings) and contract.called not in tricks[-1].cards


def ended(hand: HandRecord, **ending: Any) -> HandRecord:
    """Return a hand with an early end after all but one of its tricks."""
    assert hand.tricks is not None
    return replace(hand, tricks=Tricks.of(hand.tricks[:-1]), **ending)


def claimed(hand: HandRecord, by: str) -> HandRecord:
    """Return a hand whose last trick a side claims."""
    return ended(hand, claimed=Claim(by, len(hand.tricks or ()) - 1))


class Evening:
    """The evening of a game on a phone of its own."""

    def __init__(self, page: Page, address: str) -> None:
        self.pad = CardPad(page)
        self.page = page
        self.address = address
        self.sums: Counter[str] = Counter()

    def add(self, hand: HandRecord) -> None:
        """Add what a hand pays by the engine."""
        for name, amount in score(hand).deltas.items():
            self.sums[name] += amount

    def save(self) -> None:
        """Save a hand once the pad is closed."""
        expect(self.pad.dialog).to_be_hidden()
        self.page.locator("#save").click()

    def call_and_play(self, hand: HandRecord) -> None:
        """Enter a hand with its auction and all its cards."""
        assert hand.auction is not None
        pad = self.pad
        pad.load(f"{self.address}/hands/new")
        pad.call(hand.auction)
        pad.choose(contract_of(hand))
        pad.open()
        pad.play(cards_of(hand))
        self.add(hand)
        self.save()

    def claim(self, hand: HandRecord) -> None:
        """Enter a hand in the opened form whose last trick the bidder's side claims."""
        hand = claimed(hand, "bidder")
        self.pad.choose(contract_of(hand))
        self.pad.open()
        self.pad.enter(cards_of(hand))
        self.pad.button("Claim the rest").click()
        self.pad.part("sheet").locator(".pair button").first.click()
        self.add(hand)
        self.save()

    def give_up(self, hand: HandRecord) -> None:
        """Enter a hand that the bidder gives up; after an exchange, with its discard unknown, the others."""
        pad, is_bidder = self.pad, hand.exchange is None
        pad.begin(f"{self.address}/hands/new", contract_of(hand))
        pad.enter(cards_of(ended(hand)))
        pad.button("Give up").click()
        question = pad.part("sheet").inner_text()
        pad.part("sheet").locator(".pair button").nth(0 if is_bidder else 1).click()
        if pad.button("Enter the widow").is_visible():
            assert hand.deal is not None
            pad.button("Enter the widow").click()
            pad.play(map(str, hand.deal.widow or ()))
        if "loses the hand" in question:
            self.add(ended(hand, conceded="bidder" if is_bidder else "opponents"))
        else:
            self.add(claimed(hand, "opponents" if is_bidder else "bidder"))
        self.save()


def test_an_evening_of_every_game_is_entered_card_by_card_partly_offline(
    service: Server, phone: "Phones"
) -> None:
    """The first with its auction; the second claimed while the ledger is down; the third given up."""
    first = phone(service.url)
    seated(service, first, NAMES[: EVENINGS["six-bid"]], "six-bid")
    cookies: Any = first.context.cookies()
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    evenings = {"six-bid": Evening(first, "/clubs/1/sessions/1")}
    for number, game in enumerate([*EVENINGS][1:], 2):
        players = NAMES[: EVENINGS[game]]
        draft = SessionDraft(players, game, first_dealer=players[-1])
        start.start(Write(books, MIA, f"the session of {game}"), draft)
        page = phone(service.url)
        page.context.add_cookies(cookies)
        evenings[game] = Evening(page, f"/clubs/1/sessions/{number}")
    hands = {game: hands_of(game) for game in EVENINGS}
    for game, evening in evenings.items():
        evening.call_and_play(hands[game][0])
        expect_saved(evening.page, 1)
        evening.pad.load(f"{evening.address}/hands/new")
    service.kill()
    for game, evening in evenings.items():
        evening.claim(hands[game][1])
        expect(evening.page.locator("#offline")).to_contain_text("will be sent automatically")
    revived = back_again(service)
    try:
        for game, evening in evenings.items():
            expect_saved(evening.page, 2)
            evening.give_up(hands[game][2])
            expect_saved(evening.page, 3)
            standings = ScorerPhone(evening.page).balances_here()
            assert Counter(standings) == evening.sums, game
        assert [*verify(books)] == []
    finally:
        revived.stop()
        books.close()


def expect_saved(page: Page, number: int) -> None:
    """Wait until a hand is saved."""
    saved = page.get_by_role("status").filter(has_text=f"Hand {number} saved")
    expect(saved).to_be_visible()
