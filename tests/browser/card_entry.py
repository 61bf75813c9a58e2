"""Entering hands card by card, as a scorer does on a phone: `CardPad` taps and reads."""

import re
from collections.abc import Iterable

from playwright.sync_api import Locator, Page, Request, expect

from engine.guide.random_hands import random_hands
from engine.record import Call, HandRecord, Tricks
from tests.browser.waiting import answered, caught_up

CONTRACT = ("bidder", "bid", "trump", "called")

PLACES = """(keys) => Object.fromEntries(keys.map((key) => {
    const { x, y, width, height } = key.getBoundingClientRect();
    return [key.dataset.card, [x + width / 2, y + height / 2]];
}))"""
"""The middle of each key."""

CLICKS = """(dialog, cards) => {
    for (const card of cards) dialog.querySelector(`[data-card="${card}"]`).click();
}"""


def played_hand(game: str, players: int, cards: int, bid: str) -> HandRecord:
    """Return a random hand of a bid with this many cards played, dealt by the last player.

    Nothing is announced or doubled, no side gives up, and no card is spit.
    """
    for hand in random_hands(game, players=players, seed="card pad"):
        tricks, contract = hand.tricks, hand.contract
        if tricks is None or contract is None or contract.doubled or contract.announced_tout:
            continue
        is_plain = contract.bid == bid and hand.conceded is None and hand.spit is None
        if is_plain and len(Tricks.of(tricks).cards) == cards and hand.dealer == hand.players[-1]:
            return hand
    raise AssertionError(f"{game} has no {bid}")


def cards_of(hand: HandRecord) -> list[str]:
    """Return the cards of a hand in the order played."""
    assert hand.tricks is not None
    return [str(card) for card in Tricks.of(hand.tricks).cards]


def contract_of(hand: HandRecord) -> list[tuple[str, str]]:
    """Return the answers of a hand's contract, with the players who doubled and were redoubled."""
    contract = hand.contract
    assert contract is not None
    answers = [(name, getattr(contract, name)) for name in CONTRACT]
    answers += [("doubled", name) for name in contract.doubled or ()]
    answers += [("redoubled", name) for name in contract.redoubled or ()]
    return [(name, str(value)) for name, value in answers if value is not None]


class CardPad:
    """The card pad of the hand form. `taps` counts every tap since the form was opened."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self.requests: list[str] = []

    @property
    def dialog(self) -> Locator:
        """The dialog."""
        return self.page.locator("#card-entry")

    def part(self, name: str) -> Locator:
        """Find a part of the dialog."""
        return self.dialog.locator(f'[data-part="{name}"]')

    def key(self, card: str) -> Locator:
        """Find the key of a card."""
        return self.dialog.locator(f'[data-card="{card}"]')

    def button(self, name: str) -> Locator:
        """Find a button of the dialog by its words."""
        return self.dialog.get_by_role("button", name=name, exact=True)

    def tap(self, target: Locator) -> None:
        """Tap something, and count it."""
        target.click()
        self.taps += 1

    def load(self, address: str) -> None:
        """Open the form of a new hand; return once it has the pad and the table's payouts."""
        self.page.goto(address)
        self.page.locator("#hand[data-looks-up]").wait_for(state="attached")
        self.dialog.wait_for(state="attached")

    def begin(self, address: str, contract: Iterable[tuple[str, str]]) -> None:
        """Open the form, choose a contract and open the pad; collect the requests from then on."""
        self.load(address)
        self.taps = 0
        self.choose(contract)
        self.open()
        self.page.on("request", self._note)

    def begin_hand(self, address: str, hand: HandRecord) -> None:
        """Open the form, choose a hand's contract and open the pad."""
        self.begin(address, contract_of(hand))

    def choose(self, contract: Iterable[tuple[str, str]]) -> None:
        """Choose the answers that don't follow from the bid or the auction."""
        page = self.page
        for name, value in contract:
            answer = page.locator(f'input[name="{name}"][value="{value}"]')
            if not answer.count() or answer.is_disabled() or answer.is_checked():
                continue
            if answer.is_hidden():
                self.tap(page.locator("#ask-called summary"))
            self.tap(answer)

    def call(self, auction: Iterable[Call]) -> None:
        """Tap the calls of an auction, each of which must be offered."""
        page = self.page
        self.tap(page.locator("#more-auction > summary"))
        for made in auction:
            text = " ".join(filter(None, made))
            self.tap(page.locator(f'button[name="call"][value="{text}"]'))
            expect(page.locator("#auction")).to_have_value(re.compile(f"{text}$"))

    def open(self) -> None:
        """Open the pad, unless it has opened by itself as the last hand was entered card by card."""
        opener = self.page.locator("#open-card-entry")
        opener.wait_for()
        caught_up(self.page)
        if not self.dialog.is_visible():
            self.tap(opener)
        self.dialog.wait_for()

    def _note(self, request: Request) -> None:
        self.requests.append(f"{request.method} {request.url.rsplit('/', 1)[1]}")

    def play(self, cards: Iterable[str]) -> None:
        """Touch the keys of cards, one after the other."""
        places = self.dialog.locator("[data-card]").evaluate_all(PLACES)
        for card in cards:
            self.page.touchscreen.tap(*places[card])
            self.taps += 1

    def enter(self, cards: Iterable[str]) -> None:
        """Click the keys of cards by a script, which needs no picture of the pad after each."""
        self.dialog.evaluate(CLICKS, [*cards])

    def finish(self, cards: Iterable[str]) -> None:
        """Touch keys, and what plays the rest as soon as it is offered."""
        for card in cards:
            if self.button("Play the last cards").is_visible():
                self.tap(self.button("Play the last cards"))
                return
            self.play([card])
            expect(self.key(card)).to_be_disabled()

    def shown(self) -> dict[str, int]:
        """Return what each player gains or loses, once the form shows it."""
        expect(self.dialog).to_be_hidden()
        caught_up(self.page)
        expect(self.page.locator("#save")).to_be_enabled()
        answered(self.page)
        rows = self.page.locator("#payout tbody tr:not(.quiet)").all()
        return {
            row.locator("th bdi").inner_text(): int(
                row.locator("td").first.inner_text().replace("\u2212", "-").replace(",", "")
            )
            for row in rows
        }
