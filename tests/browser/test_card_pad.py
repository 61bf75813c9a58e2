"""A hand is entered card by card on the pad of the hand form: by taps, by keys, offline, on two phones."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from engine.scoring.score import score
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.common.writing import Write
from ledger.services.table import start
from ledger.services.table.start import SessionDraft
from tests.browser.card_entry import CardPad, cards_of, played_hand
from tests.browser.conftest import SEVEN, seated
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

MIA = Access(1, Role.SCORER, "Mia")
GAMES = {
    "six-bid": (4, 33),
    "frog": (3, 33),
    "straight-solo": (3, 33),
    "progressive": (4, 33),
    "german-solo": (4, 32),
    "crazy-solo": (4, 36),
}
"""The number of players at the table and of the cards played."""

MOST_TAPS = {32: 37, 33: 37, 36: 41}
"""From the opened form to a hand that can be saved, by the number of its cards."""

SOLO = [("bidder", "Ann"), ("bid", "solo"), ("trump", "D")]
FOUR_TRICKS = ["7S", "TS", "KS", "6D", "QD", "JD", "6C", "KC", "QC", "6S", "QS", "9S"]
"""Four tricks of three seats: to Bob, Cyd, Ann and Bob."""


@pytest.fixture
def pad(service: Server, phone: "Phones") -> CardPad:
    """The pad of a phone at a new table of three, who play Six-Bid: Ann has bid a solo in diamonds."""
    page = phone(service.url)
    scorer = seated(service, page, SEVEN[:3], "six-bid")
    pad = CardPad(page)
    pad.begin(f"{scorer.session_path()}/hands/new", SOLO)
    return pad


def test_a_hand_of_every_game_is_entered_by_taps_and_saved_with_the_engine_s_verdict(
    service: Server, phone: "Phones"
) -> None:
    """In few taps, without a request between the first card and the last; then one for the payout."""
    page = phone(service.url)
    hands = {game: played_hand(game, *size) for game, size in GAMES.items()}
    first, *others = hands.items()
    seated(service, page, first[1].players, first[0])
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    for game, hand in others:
        draft = SessionDraft(hand.players, game, first_dealer=hand.players[-1])
        start.start(Write(books, MIA, f"the session of {game}"), draft)
    books.close()
    for number, (game, hand) in enumerate(hands.items(), 1):
        pad = CardPad(page)
        pad.begin_hand(f"/clubs/1/sessions/{number}/hands/new", hand)
        *cards, before_last, last = cards_of(hand)
        pad.play(cards)
        assert pad.requests == [], game
        pad.finish([before_last, last])
        assert pad.shown() == dict(score(hand).deltas), game
        assert pad.requests == ["POST preview"], game
        assert pad.taps <= MOST_TAPS[len(cards_of(hand))], (game, pad.taps)
        page.locator("#save").click()
        expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
    assert phone.complaints == []
