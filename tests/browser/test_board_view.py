"""The board view on televisions and tablets: everything stands on the screen at once, as large as fits."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.reader_language import COOKIE
from ledger.services.club import clubs, links
from ledger.services.common.writing import Write
from ledger.services.table import lifecycle, start
from ledger.services.table.start import SessionDraft
from tests.ledger import cash, table
from tests.support.chromium import KITCHEN
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

TELEVISIONS = [(1280, 720), (3840, 2160)]
"""The smallest and the largest: sizes are shares of the screen's."""
TABLETS = [(1024, 768), (820, 1180)]
LONG = (
    *(
        "Maximiliane-Henriette von Hohenstein",
        "山田太郎",
        "محمد بن عبد الله",
        "Łukasz Brzęczyszczykiewicz",
    ),
    *("Wolfgang-Amadeus Oberhuber", "José María de la Concepción", "Ann", "สมชาย ใจดี"),
    *("Anneliese", "Zoë 👩‍👩‍👧‍👦", "李小龍", "Bartholomew Featherstonehaugh"),
)

CUT = """() => {
    const cut = [], root = document.documentElement, all = (each) => [...document.querySelectorAll(each)];
    const box = (each) => each.getBoundingClientRect();
    const inside = (part, whole) => part.left >= whole.left - 1 && part.right <= whole.right + 1
        && part.top >= whole.top - 1 && part.bottom <= whole.bottom + 1;
    const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
        && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const screen = {left: 0, top: 0, right: root.clientWidth, bottom: root.clientHeight};
    const page = {left: 0, top: 0, right: root.scrollWidth, bottom: root.scrollHeight};
    if (!inside(page, screen)) cut.push("page");
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
        const {parentElement: e, data} = words.currentNode, range = document.createRange();
        if (!data.trim() || !e.checkVisibility() || e.closest(".unseen, thead")) continue;
        range.selectNodeContents(words.currentNode);
        const lines = [...range.getClientRects()];
        const boxes = ["tr", ".big-table", ".at", ".middle", ".round", "aside", "svg"];
        const around = boxes.map((each) => e.closest(each)).filter(Boolean);
        const whole = [screen, ...around.map(box)];
        if (!whole.every((each) => lines.every((line) => inside(line, each)))) cut.push(data.trim());
        if (!e.closest("svg") && lines.some((line) => line.height < 12)) cut.push(`tiny: ${data.trim()}`);
    }
    for (const e of all("aside > div, .last, svg, .way-in img")) {
        const own = box(e);
        if (!inside(own, box(e.closest("aside")))) cut.push(e.tagName);
        if (Math.min(own.height, own.width) < 60) cut.push(`small: ${e.tagName}`);
    }
    const apart = [
        ".last, .way-in, #plots, .prices, .top > *, .back a",
        ".at, .middle, .big-table, aside, .big-board > header",
    ];
    for (const parts of apart.map((each) => all(each).map(box))) {
        const isCovered = (a, at) => parts.slice(at + 1).some((b) => overlap(a, b));
        if (parts.some(isCovered)) cut.push("one over another");
    }
    return cut;
}"""
"""What does not stand whole on the screen, in its row and in its card."""

LARGE = """() => {
    const size = (each) => parseFloat(getComputedStyle(document.querySelector(each)).fontSize);
    return [".big-standings", ".told"].map((each) => (100 * size(each)) / innerHeight);
}"""
"""The size of standings and of the last hand, in hundredths of the screen's height."""


def hand(players: tuple[str, ...]) -> Mapping[str, Any]:
    """Return a hand of two against all others, which has the longest explanation."""
    bidder, partner = players[0], players[-1]
    called = {"bidder": bidder, "bid": "solo-in-hearts", "called": "AH", "partner": partner}
    if len(players) < 5:
        called = {"bidder": bidder, "bid": "go-alone", "trump": "S"}
    return {"contract": called, "points": 75}


def followed(service: Server, phone: "Phones", players: tuple[str, ...]) -> Page:
    """Play ten hands, after which one of three players leaves; open the board view as a viewer.

    It has its QR code, as on a device others can reach.
    """
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    access, _ = clubs.create(books, name="Kitchen table", passcode="four aces", author="Mia")
    draft = SessionDraft(players, "crazy-solo", starting_stack=1_000)
    start.start(Write(books, access, "the session of a board"), draft)
    for _ in range(10):
        table.record(books, Access(1, Role.SCORER, "Zed"), 1, hand(players))
    if len(players) == 3:
        cash.leave(books, access, 1, players[0])
    lifecycle.agree_end(Write(books, access, "the end of a board"), 1, at="23:59")
    secret = (service.folder / "secret-key").read_text().strip()
    key, _ = links.make(books, access, secret, role=Role.VIEWER, lasts="year")
    books.close()
    page = phone(service.url.replace("127.0.0.1", KITCHEN), touch=False)
    page.goto(f"/v/{key}")
    page.goto("/clubs/1/sessions/1/screen")
    assert page.locator(".way-in img").count() == 1
    return page


@pytest.mark.parametrize(
    ("seats", "languages"),
    [(3, ["en"]), (4, ["en"]), (7, ["en"]), (12, ["en", "de", "ja"])],
    ids=[2, 4, 7, 12],
)
def test_all_of_the_board_stands_on_every_screen(
    service: Server, phone: "Phones", seats: int, languages: list[str]
) -> None:
    """Long names, the last hand, the chart and the QR code; nothing is cut off, and nothing scrolls."""
    page = followed(service, phone, LONG[:seats])
    assert page.locator(".at").count() == (2 if seats == 3 else seats)
    for language in languages:
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": page.url}])
        assert cut_off(page) == {}, language
    end_evening(service)
    assert cut_off(page) == {}
    assert page.locator(".winner").count() == 1


def cut_off(page: Page) -> dict[tuple[int, int], list[str]]:
    """Return what is cut off, by the size of the screen; on televisions text must be large, too."""
    cut, address = {}, page.url
    for width, height in (*TELEVISIONS, *TABLETS):
        page.goto("about:blank")  # nothing to fit while the size changes
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        page.evaluate("document.fonts.ready.then(() => true)")
        if found := page.evaluate(CUT):
            cut[width, height] = found
        if (width, height) in TELEVISIONS:
            standings, last = page.evaluate(LARGE)
            assert standings > 3
            assert last > 1.8
    return cut


def end_evening(service: Server) -> None:
    """Close the session."""
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    lifecycle.close(Write(books, Access(1, Role.SCORER, "Zed"), "the end of the evening"), 1)
    books.close()
