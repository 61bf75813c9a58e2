"""Pages on phones upright and on their side, on tablets, on a desktop: each size has a layout of its own."""

from typing import TYPE_CHECKING

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.reader_language import COOKIE
from ledger.services.club import clubs
from ledger.services.money import convert
from ledger.words.languages import LANGUAGES
from tests.browser import showing
from tests.browser.pages import ScorerPhone
from tests.browser.screenshots import SIZES, places
from tests.ledger import cash, table
from tests.support.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

PAIRS = {
    "board": (".sheet", ".aside"),
    "club": (".columns > :first-child", ".columns > :last-child"),
    "history": (".hand:nth-of-type(2)", ".hand:nth-of-type(3)"),
    "bank": ("#chips-moved", "table.payout"),
    "settle": ("#rate", ".columns > :nth-child(2)"),
    "result": (".ranks", "#plots"),
    "screen": (".big-table", ".round"),
    "count-chips": (".counted:nth-of-type(2)", ".counted:nth-of-type(1)"),
}
"""What stands side by side on a page where there is room, and below one another where there is not."""

IN_ONE_COLUMN = {("phone", name) for name in PAIRS} | {("tablet", "screen"), ("tablet", "board")}

TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
BESIDE = """([one, other]) => {
    const [a, b] = [one, other].map((each) => document.querySelector(each).getBoundingClientRect());
    return a.right <= b.left;
}"""


IS_THAT_SIZE = """([width, height]) => new Promise((done) => {
    const query = matchMedia(`(width: ${width}px) and (height: ${height}px)`);
    const drawn = () => document.fonts.ready.then(() => requestAnimationFrame(done));
    const look = () => (query.matches ? drawn() : setTimeout(look, 10));
    look();
})"""


def resized(page: "Page", size: str) -> None:
    """Turn the device into one of another size; the page has been laid out again when it returns."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(IS_THAT_SIZE, [width, height])


def test_each_size_has_its_own_layout_and_no_page_is_too_wide(
    service: Server, phone: "Phones"
) -> None:
    """On tablets, a desktop and a phone on its side things stand side by side, on a phone in one column."""
    known = places(service)
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    scorer = table.write(books, Access(1, Role.SCORER, showing.AUTHOR))
    convert.set_rate(scorer, showing.TONIGHT, rate=cash.TEN_FOR_ONE)
    books.close()
    page = phone(service.url)
    ScorerPhone(page).enter_club(showing.CLUB, showing.PASSCODE, showing.AUTHOR)
    wide, other = {}, {}
    for name, place in known.items():
        page.goto(place)
        for size in SIZES:
            resized(page, size)
            if over := page.evaluate(TOO_WIDE):
                wide[size, name] = over
            if name in PAIRS:
                beside = page.evaluate(BESIDE, PAIRS[name])
                if beside is ((size, name) in IN_ONE_COLUMN):
                    other[size, name] = beside
    assert known.keys() >= PAIRS.keys()
    assert (wide, other) == ({}, {})


def test_the_payout_stands_beside_the_questions_where_there_is_room(
    service: Server, phone: "Phones"
) -> None:
    """Its button is in sight without scrolling at every size, on a phone below both."""
    places(service)
    page = phone(service.url)
    scorer = ScorerPhone(page)
    scorer.enter_club(showing.CLUB, showing.PASSCODE, showing.AUTHOR)
    page.goto(f"/clubs/1/sessions/{showing.TONIGHT}")
    scorer.open_hand()
    contract = {"bidder": "Charlotte", "bid": "go-alone", "trump": "D"}
    scorer.fill_hand({"contract": contract, "points": 78})
    page.locator("#payout").wait_for()
    for size in SIZES:
        resized(page, size)
        page.evaluate("scrollTo(0, 0)")
        assert page.evaluate(BESIDE, ("#told", "#payout")) is (size != "phone"), size
        assert not page.evaluate(TOO_WIDE), size
        button = page.get_by_role("button", name="Save hand").bounding_box()
        assert button is not None
        assert button["y"] + button["height"] <= SIZES[size][1], size


DESKS = ((1024, 768), (1280, 800), (1920, 1080))
"""A tablet on its side, a laptop and a large screen, in CSS pixels."""

TWELVE = (
    *showing.PLAYERS,
    "Hannelore-Margarethe von Trips",
    "Ingo",
    "Łukasz",
    "佐藤 さくら",
    "Kim",
)

OUT_OF_SIGHT = """(parts) => parts.filter((part) => {
    const {left, top, right, bottom, width} = document.querySelector(part).getBoundingClientRect();
    const panel = document.querySelector("#answer").getBoundingClientRect();
    return !width || top < 0 || left < 0 || right > innerWidth || bottom > innerHeight
        || (part.startsWith("#payout") && bottom > panel.bottom);
})"""


@pytest.mark.parametrize("players", [showing.PLAYERS[:4], showing.PLAYERS, TWELVE], ids=len)
def test_a_scorer_at_a_desk_sees_form_payout_and_standings_without_scrolling(
    service: Server, phone: "Phones", players: tuple[str, ...]
) -> None:
    """They stand side by side, with few players and many, in every language.

    A tablet on its side leaves the room of the standings to the names; a phone has none either.
    """
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    access, _ = clubs.create(books, name=showing.CLUB, passcode=showing.PASSCODE, author="Annika")
    session = table.start(books, access, players)
    books.close()
    parts = ("#told", ".counts", "#payout .reasoning", "#payout tbody", "#save")
    for language in LANGUAGES:
        page = phone(service.url, size=DESKS[0], touch=False)
        ScorerPhone(page).enter_club(showing.CLUB, showing.PASSCODE, showing.AUTHOR)
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": service.url}])
        page.goto(f"/clubs/1/sessions/{session}/hands/new")
        for answer in ('bidder"][value="Charlotte', 'bid"][value="go-alone', 'trump"][value="D'):
            page.locator(f'input[name="{answer}"]').check()
        page.locator("input[name=points]").fill("78")
        page.locator("#payout").wait_for()
        for width, height in DESKS:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(IS_THAT_SIZE, (width, height))
            page.evaluate("scrollTo(0, 0)")
            where = (language, width)
            shown = (*parts, ".beside tbody") if width > DESKS[0][0] else parts
            assert page.evaluate(OUT_OF_SIGHT, shown) == [], where
            assert page.evaluate(BESIDE, ("#told", "#payout")), where
            assert page.evaluate(BESIDE, ("#payout", ".beside")) is (width > DESKS[0][0]), where
            assert not page.evaluate(TOO_WIDE), where
        resized(page, "phone")
        assert page.locator(".beside").is_hidden()
