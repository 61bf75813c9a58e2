"""A short evening of each game, tapped in: no key hidden, no request a tap, few taps a hand.

On a phone by one thumb, on a tablet lying on the table, on a desktop by the mouse.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import Page, Request, expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.common.writing import Write
from ledger.services.table import start
from ledger.services.table.start import SessionDraft
from tests.browser.conftest import SEVEN, seated
from tests.browser.pages import ScorerPhone
from tests.browser.screenshots import SIZES
from tests.browser.waiting import answered
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

FOUR = SEVEN[:4]
MIA = Access(1, Role.SCORER, "Mia")

HIDDEN = """(field) => {
    const box = field.getBoundingClientRect(), dock = document.querySelector(".dock").getBoundingClientRect();
    const end = dock.left >= box.right ? innerHeight : dock.top + 1;
    return !field.checkVisibility() || box.top < 0 || box.bottom > end;
}"""
"""The dock stands below the questions, or beside them."""


class Device(NamedTuple):
    """The kind of device to tap on, and the number of hands of each evening."""

    size: tuple[int, int]
    touch: bool
    hands: int


DEVICES = {
    "phone": Device(SIZES["phone"], True, 3),
    "tablet-landscape": Device(SIZES["tablet-landscape"], True, 1),
    "desktop": Device(SIZES["desktop"], False, 1),
}


class Hand(NamedTuple):
    """The answers tapped in turn, the number typed, and the payments."""

    taps: str
    points: str
    pays: str


EVENINGS: dict[str, tuple[Sequence[str], Sequence[Hand]]] = {
    "crazy-solo": (
        SEVEN,
        [
            Hand(
                "bidder=Cyd bid=solo trump=H called=AH partner=Bob",
                "74",
                "Cyd +120 Bob +80 Ann −40 Dee −40 Eve −40 Fay −40 Gus −40",
            ),
            Hand("bidder=<nobody>", "", "nothing moves"),
            Hand(
                "bidder=Ann bid=solo-in-hearts called=AH partner=<alone>",
                "46",
                "Ann −240 Bob +40 Cyd +40 Dee +40 Eve +40 Fay +40 Gus +40",
            ),
        ],
    ),
    "six-bid": (
        FOUR,
        [
            Hand("bidder=Ann bid=solo trump=S", "74", "Ann +28 Bob −14 Cyd −14"),
            Hand("bidder=Bob bid=misere made=lost", "", "Bob −120 Ann +40 Cyd +40 Dee +40"),
            Hand(
                "bidder=Ann bid=call-solo trump=D called=AD made=made",
                "",
                "Ann +200 Cyd −100 Dee −100",
            ),
        ],
    ),
    "frog": (
        SEVEN[:3],
        [
            Hand("bidder=Ann bid=chico trump=S", "50", "Ann −40 Bob +20 Cyd +20"),
            Hand("bidder=Bob bid=frog", "70", "Bob +20 Ann −10 Cyd −10"),
            Hand("bidder=<nobody>", "", "nothing moves"),
        ],
    ),
    "progressive": (
        FOUR,
        [
            Hand(
                "bidder=Ann bid=spade-solo doubled=Bob doubled=Cyd redoubled=Cyd",
                "75",
                "Ann +180 Bob −60 Cyd −120",
            ),
            Hand("bidder=Cyd bid=heart-solo", "60", "nothing moves"),
            Hand("bidder=Dee bid=frog", "72", "Dee +24 Ann −12 Cyd −12"),
        ],
    ),
    "german-solo": (
        FOUR,
        [
            Hand(
                "bidder=Ann bid=frage trump=D called=AH partner=Bob tricks_won=5",
                "",
                "Ann +2 Bob +2",
            ),
            Hand(
                "bidder=Dee bid=solo trump=H tricks_won=5 first_tricks_won=stopped"
                " matadors=declarers",
                "",
                "Dee +10",
            ),
            Hand(
                "bidder=Bob bid=solo trump=C tricks_won=4",
                "",
                "Bob −6",
            ),
        ],
    ),
}
"""Paid by the rules sheets: 14 × 1, 40 to three, 100; 10 × 2, 10 × 1; 15 × 2 and doubles; 2 + 2 + 2, 6."""

MOST_TAPS = 7
"""With the one that saves, but for a number's digits."""


def tap_in(page: Page, hand: Hand) -> int:
    """Tap a hand in, each key in sight as it comes; return how many taps it took, but for its number."""
    taps = 0
    for said in hand.taps.split():
        name, value = said.split("=")
        field = page.locator(f'input[name="{name}"][value="{value}"]')
        assert not field.evaluate(HIDDEN), said
        field.click()
        taps += 1
    for digit in hand.points:
        key = page.locator(f'.pad [data-key="{digit}"]')
        assert not key.evaluate(HIDDEN), digit
        key.click()
    for key in page.locator(".pad .key").all() if hand.points else ():
        assert not key.evaluate(HIDDEN), key
    return taps


def play(scorer: ScorerPhone, number: int, hand: Hand) -> None:
    """Open the form, tap the hand in, save it: in few taps."""
    page = scorer.page
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/static/" not in request.url and request.resource_type != "eventsource":
            asked.append(request.url.rsplit("/", 1)[1])

    scorer.open_hand()
    page.on("request", note)
    taps = tap_in(page, hand) + 1
    expect(page.locator("#payout")).to_be_visible()
    answered(page)
    page.remove_listener("request", note)
    assert asked == []
    notice = scorer.save()
    assert " ".join(notice.split()) == f"Hand {number} saved: {hand.pays}"
    assert taps <= MOST_TAPS


@pytest.mark.parametrize("name", DEVICES)
def test_a_short_evening_of_each_game_is_tapped_in(
    service: Server, phone: "Phones", name: str
) -> None:
    """Partners, doubles, made or lost, tricks and passes; then, on a phone, the first is voided."""
    device, games = DEVICES[name], list(EVENINGS)
    page = phone(service.url, size=device.size, touch=device.touch)
    scorer = seated(service, page, EVENINGS[games[0]][0], games[0])
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    for game in games[1:]:
        players = EVENINGS[game][0]
        draft = SessionDraft(players, game, first_dealer=players[-1])
        start.start(Write(books, MIA, f"the session of {game}"), draft)
    books.close()
    for at, (_, hands) in enumerate(EVENINGS.values(), 1):
        page.goto(f"/clubs/1/sessions/{at}")
        for number, hand in enumerate(hands[: device.hands], 1):
            play(scorer, number, hand)
        if name == "phone":
            scorer.void(1, "played by mistake")
            expect(page.locator("#hand-1")).to_contain_text("void")
    assert phone.complaints == []
