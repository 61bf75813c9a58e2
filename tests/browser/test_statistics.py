"""Statistics at a glance: each page fits two screens of a phone, and a line over time has its axes."""

import itertools
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.reader_language import COOKIE
from ledger.services.table import start
from tests.browser.conftest import seated
from tests.browser.pages import ScorerPhone
from tests.browser.test_board_view import LONG
from tests.browser.test_narrow import IN_LARGE_TYPE, TOO_WIDE
from tests.ledger import cash, table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

MIA = Access(1, Role.SCORER, "Mia")
TWO_SCREENS = 2 * 844
BROKEN_ROWS = """() => [...document.querySelectorAll("table.payout:not(.evenings) tr")]
    .filter((row) => getComputedStyle(row).display != "table-row").map((row) => row.innerText)"""
"""The table rows whose cells are not beside one another; in evenings a title is above the figures."""


def fill(service: Server) -> None:
    """Write a season: evenings for chips and money, some with hands of German Solo as well."""
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    german: dict[str, Any] = {"game": "german-solo", "variant": None, "options": {}}
    solo = {"contract": {"bidder": "Bob", "bid": "solo", "trump": "S"}, "points": 72}
    for number in range(16):
        day = date(2025, 1, 3) + timedelta(days=7 * number)
        game, hand = ("six-bid", solo) if number % 3 == 0 else ("crazy-solo", cash.ANN_WINS)
        evening = table.start(books, MIA, table.FOUR, game, title=f"No. {number}", started_on=day)
        table.record(books, MIA, evening, hand)
        if number % 4 == 0:
            start.change_rules(table.write(books, MIA), evening, **german)
            table.record(books, MIA, evening, table.german_solo("Bob", made=number % 8 == 0))
        if number == 15:
            cash.convert(books, MIA, evening, cash.TEN_FOR_ONE)
    books.close()


def test_statistics_fit_two_screens(scorer: ScorerPhone, service: Server) -> None:
    """Of the club and of a player, with a season behind them; the rest is folded, not gone."""
    fill(service)
    page = scorer.page
    places = (
        *("statistics", "players/1", "players/1/evenings", "head-to-head", "evenings"),
        *("records", "ratings"),
    )
    heights = {}
    for place in places:
        page.goto(f"/clubs/1/{place}")
        assert place.endswith("evenings") or page.evaluate(BROKEN_ROWS) == []
        heights[place] = page.evaluate("document.documentElement.scrollHeight")
    assert {place: high for place, high in heights.items() if high > TWO_SCREENS} == {}
    page.goto("/clubs/1/players/1")
    chart = page.get_by_role("img", name="Chips won, evening by evening")
    expect(chart.locator("text", has_text="3 Jan 2025")).to_be_visible()
    expect(chart.locator("text", has_text="1,500")).to_be_visible()
    page.locator("details#crazy-solo > summary").click()
    bids = page.get_by_role("table", name="Crazy Solo")
    expect(bids.get_by_text("Bid, by contract")).to_be_visible()


def test_head_to_head_is_a_list_on_a_phone_and_a_table_beside_it_where_there_is_room(
    service: Server, phone: "Phones"
) -> None:
    """Twelve long names fit the smallest phone, in large type, too; signs and bars tell gains from losses."""
    scorer = seated(service, phone(service.url, size=(320, 568)), LONG)
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    for bidder, points in ((LONG[0], 85), (LONG[1], 110)):
        contract = {"bidder": bidder, "bid": "go-alone", "trump": "S"}
        table.record(books, MIA, 1, {"contract": contract, "points": points})
    books.close()
    page = scorer.page
    for language in ("en", "de", "ja"):
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": service.url}])
        page.goto("/clubs/1/head-to-head?player=1")
        page.locator("#people > summary").click()
        assert page.evaluate(TOO_WIDE) == 0, language
        page.evaluate(IN_LARGE_TYPE)
        assert page.evaluate(TOO_WIDE) == 0, language
    rows = page.locator(".versus .row")
    assert [row.inner_text().split()[-1] for row in rows.all()] == [*["+50"] * 10, "−50"]
    zero, gain, loss = (
        rows.nth(place).locator(".gain-bar").locator(part).bounding_box()
        for place, part in ((0, "line"), (0, "rect"), (10, "rect"))
    )
    assert zero
    assert gain
    assert loss
    assert loss["x"] < zero["x"] <= gain["x"]
    everybody = page.locator(".everybody")
    expect(everybody).to_be_hidden()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/clubs/1/head-to-head")
    expect(everybody.get_by_role("row")).to_have_count(13)
    assert page.evaluate(TOO_WIDE) == 0
    assert (
        page.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('.wide'))") == 0
    )


def test_statistics_fit_the_smallest_phone_and_open_a_game_s_bids(
    scorer: ScorerPhone, service: Server
) -> None:
    """In every order and language, also in large type; no bar is longer than the page."""
    fill(service)
    page = scorer.page
    page.set_viewport_size({"width": 320, "height": 568})
    for language, by in itertools.product(("en", "de", "ja"), ("total", "average", "share")):
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": service.url}])
        page.goto(f"/clubs/1/statistics?by={by}")
        assert page.evaluate(TOO_WIDE) == 0, (language, by)
        page.evaluate(IN_LARGE_TYPE)
        assert page.evaluate(TOO_WIDE) == 0, (language, by)
    bids = page.locator("#six-bid ul")
    expect(bids).to_be_hidden()
    page.locator("#six-bid > summary").focus()
    page.keyboard.press("Enter")
    expect(bids).to_contain_text("100%")
