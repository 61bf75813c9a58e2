"""Pages where there is little room: names stay whole words, and nothing overflows or is covered."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from ledger.access import Access, Role
from ledger.db import Database
from tests.browser.conftest import seated
from tests.browser.pages import opener_of
from tests.ledger import cash, table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

LONG = ("Ann", "Maximiliane-Henriette von Hohenstein", "محمد", "山田太郎", "Wolfgang-Amadeus")

TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
LINES = """(within) => [...document.querySelectorAll(`${within} th bdi`)].map((each) => {
    const words = document.createRange();
    words.selectNodeContents(each);
    return new Set([...words.getClientRects()].map((line) => Math.round(line.top))).size;
})"""
"""How many lines each name takes."""
OUTSIDE = """(within) => {
    const edge = document.querySelector(within).closest(".card").getBoundingClientRect();
    return [...document.querySelectorAll(`${within} :is(th, td, small, span)`)]
        .map((each) => each.getBoundingClientRect())
        .filter((each) => each.left < edge.left || each.right > edge.right).length;
}"""
"""How many cells reach beyond their card."""


def write(service: Server, hand: Mapping[str, Any], times: int = 1) -> None:
    """Record hands in the club's first session."""
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    for _ in range(times):
        table.record(books, Access(1, Role.SCORER, "Zed"), 1, hand)
    books.close()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_correction_names_whoever_is_short_and_by_how_much(
    service: Server, phone: "Phones", width: int
) -> None:
    """Before and after in the same words; a short name stays in one line, a long one in two."""
    scorer = seated(service, phone(service.url), LONG)
    page = scorer.page
    write(service, cash.ANN_WINS, times=4)
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{scorer.session_path()}/hands/4/correct")
    opener_of(page, "Card points").click()
    page.get_by_label("Card points", exact=True).fill("90")
    payout = page.get_by_role("region", name="Payout")
    expect(payout).to_contain_text("90 card points")
    row = payout.get_by_role("row").filter(has_text="Wolfgang-Amadeus")
    assert row.get_by_role("cell").all_inner_texts() == ["−60", "0\nshort of 50", "0\nshort of 60"]
    lines = page.evaluate(LINES, "#payout")
    assert lines[0] == 1
    assert max(lines) <= 2
    assert page.evaluate(OUTSIDE, "#payout") == 0
    assert page.evaluate(TOO_WIDE) == 0
