"""Pages where there is little room: names stay whole words, and nothing overflows or is covered."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.reader_language import COOKIE
from tests.browser.conftest import seated
from tests.browser.pages import opener_of
from tests.browser.test_board_view import LONG as TWELVE
from tests.browser.treasurer import Treasurer
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


IN_LARGE_TYPE = 'document.documentElement.style.fontSize = "200%"'
IN_WIDE_LETTERS = (
    """document.documentElement.style.setProperty('--pico-font-family', '"DejaVu Sans"')"""
)
HIDDEN = """() => [...document.querySelectorAll(".rows, .rows :not(input)")]
    .filter((each) => each.checkVisibility() && getComputedStyle(each).display !== "inline")
    .filter((each) => each.clientWidth > 2 && each.scrollWidth > each.clientWidth + 1)
    .map((each) => `${each.tagName} ${each.textContent.trim()}`)"""
"""What is wider than its place, in lists that hide what is."""
RANKS = """() => [...document.querySelectorAll(".rank")].map((each) => {
    const words = document.createRange(), next = each.nextElementSibling;
    words.selectNodeContents(each);
    const own = words.getBoundingClientRect();
    const mark = (next.matches(".mark") ? next : next.querySelector(".mark")).getBoundingClientRect();
    const isBeside = own.right <= mark.left || own.left >= mark.right;
    const isCovered = !isBeside && own.bottom > mark.top && own.top < mark.bottom;
    return [each.textContent, words.getClientRects().length, isCovered];
}).filter(([, lines, isCovered]) => lines > 1 || isCovered)"""
"""The ranks in more than one line, or behind a player's mark."""


def test_twelve_ranks_stand_in_one_line_each(service: Server, phone: "Phones") -> None:
    """On scoreboard and result, also in wide letters and large type."""
    scorer = seated(service, phone(service.url), TWELVE)
    page, board = scorer.page, scorer.session_path()
    scored = (70, 75, 80, 85, 90, 95, 100, 105, 110, 115, 116, 61)
    for bidder, points in zip(TWELVE, scored, strict=True):
        contract = {"bidder": bidder, "bid": "go-alone-in-hearts"}
        write(service, {"contract": contract, "points": points})
    for place in (board, f"{board}/result"):
        for width in (320, 390, 820, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            page.goto(place)
            assert page.locator(".rank").last.inner_text() == "12"
            page.evaluate(IN_WIDE_LETTERS)
            assert page.evaluate(RANKS) == []
            page.evaluate(IN_LARGE_TYPE)
            assert page.evaluate(RANKS) == []


def test_money_stands_whole_on_the_smallest_phone_in_large_type(
    service: Server, phone: "Phones"
) -> None:
    """Payments with long names and sums, folded and not."""
    scorer = seated(service, phone(service.url), LONG)
    page = scorer.page
    write(service, cash.ANN_WINS, times=4)
    page.goto(scorer.session_path())
    treasurer = Treasurer(scorer)
    treasurer.agree(100, "123456.00")
    treasurer.convert()
    page.set_viewport_size({"width": 320, "height": 568})
    for language in ("en", "de", "ja"):
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": service.url}])
        page.goto("/clubs/1/money")
        for details in (
            "",
            "for (const each of document.querySelectorAll('details')) each.open = true",
        ):
            page.evaluate(details)
            page.evaluate(IN_LARGE_TYPE)
            assert page.evaluate(HIDDEN) == [], language
            assert page.evaluate(TOO_WIDE) == 0, language


BROKEN = """() => [...document.querySelectorAll("thead th")].flatMap((head) => {
    if (getComputedStyle(head).position === "absolute") return [];  // only for screen readers
    const text = head.firstChild, words = [...text.data.matchAll(/\\S+/g)];
    return words.filter(({0: word, index}) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1;
    }).map(([word]) => word);
})"""


def test_the_headings_of_a_voided_hands_table_have_whole_words_on_the_smallest_phone(
    service: Server, phone: "Phones"
) -> None:
    """In German, too, above figures of one digit."""
    scorer = seated(service, phone(service.url), ("Ann", "Bob", "Cyd"), "six-bid")
    page = scorer.page
    write(service, {"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 62})
    page.context.add_cookies([{"name": COOKIE, "value": "de", "url": service.url}])
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"{scorer.session_path()}/hands/1/void")
    expect(page.locator("thead")).to_contain_text("ändert sich")
    assert page.evaluate(BROKEN) == []


def test_somebody_joins_unfolds_into_sight(service: Server, phone: "Phones") -> None:
    """Above the dock, from its first line on."""
    scorer = seated(service, phone(service.url), LONG)
    page, board = scorer.page, scorer.session_path()
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 600})
        page.goto(f"{board}/table")
        page.evaluate(
            """() => {
                const [line, dock] = ["#late > summary", ".dock"].map((each) => document.querySelector(each));
                scrollBy(0, line.getBoundingClientRect().bottom - dock.getBoundingClientRect().top);
            }"""
        )
        page.locator("#late > summary").click()
        page.wait_for_function(
            """() => {
                const first = document.querySelector("#late .field, #late fieldset").getBoundingClientRect();
                const top = document.querySelector("#late").getBoundingClientRect().top;
                const dock = document.querySelector(".dock").getBoundingClientRect().top;
                return top >= 0 && first.bottom <= dock;
            }"""
        )


def test_the_table_is_no_wider_for_a_long_name_of_somebody_who_left(
    service: Server, phone: "Phones"
) -> None:
    """Nor for one without a place to break it; a name from right to left is fenced off."""
    endless = "W" * 64
    scorer = seated(service, phone(service.url), (*LONG, endless))
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    for name in ("محمد", endless):
        cash.leave(books, Access(1, Role.SCORER, "Zed"), 1, name)
    books.close()
    page = scorer.page
    page.goto(f"{scorer.session_path()}/table")
    names = page.locator("#gone > summary bdi")
    assert names.all_inner_texts() == ["محمد", endless]
    assert page.evaluate(TOO_WIDE) == 0


def test_a_correction_names_whoever_is_short_and_by_how_much(
    service: Server, phone: "Phones"
) -> None:
    """Before and after in the same words; a short name stays in one line, a long one in two."""
    scorer = seated(service, phone(service.url), LONG)
    page = scorer.page
    write(service, cash.ANN_WINS, times=4)
    page.goto(f"{scorer.session_path()}/hands/4/correct")
    opener_of(page, "Card points").click()
    page.get_by_label("Card points", exact=True).fill("90")
    payout = page.get_by_role("region", name="Payout")
    expect(payout).to_contain_text("90 card points")
    row = payout.get_by_role("row").filter(has_text="Wolfgang-Amadeus")
    assert row.get_by_role("cell").all_inner_texts() == ["−60", "0\n50 short", "0\n60 short"]
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_function(
            "(width) => document.documentElement.clientWidth === width", arg=width
        )
        lines = page.evaluate(LINES, "#payout")
        assert lines[0] == 1, width
        assert max(lines) <= 2, width
        assert page.evaluate(OUTSIDE, "#payout") == 0, width
        assert page.evaluate(TOO_WIDE) == 0, width
