"""The club's board view through an evening, on a television that moves and one without movement."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from ledger.books.transactions import Database
from ledger.database.access import Role
from ledger.services.club import clubs, links
from ledger.services.common.writing import Write
from ledger.services.table import lifecycle, start
from ledger.services.table.start import SessionDraft
from tests.browser.test_legible import barriers, faint_by_day_and_night
from tests.browser.test_outage import back_again
from tests.ledger import table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

CLUB_SCREEN = "/clubs/1/screen"
NOTES_MOVES = """
    window.moves = new Set();
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
        moves.add(options.id);
        return animate.call(this, frames, options);
    };
    addEventListener("animationstart", (event) => moves.add(event.animationName));
"""


def moves(page: Page) -> list[str]:
    """Return the kinds of movement since the last call."""
    seen: list[str] = page.evaluate(
        "() => { const seen = [...moves].sort(); moves.clear(); return seen; }"
    )
    return seen


def test_a_screen_accompanies_an_evening_by_itself(service: Server, phone: "Phones") -> None:
    """It waits, pays, swaps ranks, survives an outage, celebrates, and moves on to the next evening."""
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    access, _ = clubs.create(books, name="Kitchen table", passcode="four aces", author="Mia")
    secret = (service.folder / "secret-key").read_text().strip()
    key, _ = links.make(books, access, secret, role=Role.VIEWER, lasts="year")
    lively, still = screens = [
        phone(service.url, touch=False, moves=moving, size=(1280, 720)) for moving in (True, False)
    ]
    for page in screens:
        page.add_init_script(NOTES_MOVES)
        page.goto(f"/v/{key}")
        page.goto(CLUB_SCREEN)
        expect(page.get_by_text("No session yet.")).to_be_visible()

    def everywhere(selector: str, text: str) -> None:
        for page in screens:
            expect(page.locator(selector)).to_contain_text(text)

    draft = SessionDraft(table.SEVEN, "crazy-solo", starting_stack=1_000, first_dealer="Gus")
    start.start(Write(books, access, "the first evening"), draft)
    everywhere(".round", "Ann")
    seats = lively.locator(".at")
    assert [seat.split()[-1] for seat in seats.all_inner_texts()] == list(table.SEVEN)
    expect(seats.filter(has_text="deals")).to_contain_text("Gus")
    expect(seats.filter(has_text="leads")).to_contain_text("Ann")

    lifecycle.agree_end(Write(books, access, "the agreed end"), 1, at="23:59")
    everywhere("#ends", "Ends at 23:59")
    everywhere("#ends", " left")

    table.record(books, access, 1, table.HEARTS_74)
    everywhere("#last-hand", "Hand 1")
    assert moves(lively) == ["chip"]  # nobody had a rank to lose
    table.record(books, access, 1, table.ALONE_85)
    everywhere("#last-hand", "Hand 2")
    assert moves(lively) == ["chip", "rank"]
    in_turn = "body:has(.plot.one polyline.lit) .big-standings tr.lit"
    expect(lively.locator(in_turn)).to_have_count(1)

    assert phone.complaints == []
    service.kill()
    for page in screens:
        expect(page.locator("#offline")).to_be_visible()
    revived = back_again(service)
    try:
        table.record(books, access, 1, table.HEARTS_46)
        everywhere("#last-hand", "Hand 3")
        for page in screens:
            expect(page.locator("#offline")).to_be_hidden()
        assert "chip" in moves(lively)

        lifecycle.close(Write(books, access, "the evening's end"), 1)
        everywhere(".winner", "Cyd won +300")
        lively.wait_for_function("() => moves.has('confetto')")
        assert lively.locator("[data-awake]").count() == 0
        assert barriers(still) == []
        assert faint_by_day_and_night(still) == []

        start.start(Write(books, access, "the second evening"), draft)
        everywhere("h1", "Evening 2")
        assert moves(still) == []
        assert still.locator(".plot.one").count() == 0
    finally:
        revived.stop()
        books.close()
