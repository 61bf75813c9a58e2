"""Pages on phones upright and on their side, on tablets, on a desktop: each size has a layout of its own."""

from typing import TYPE_CHECKING

import pytest

from tests.browser import showing
from tests.browser.pages import ScorerPhone
from tests.browser.screenshots import SIZES, places
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
    "settle": ("#rate", ".columns > :last-child"),
    "result": (".ranks", "#plots"),
    "screen": (".big-standings", ".big-board > aside"),
    "count-chips": (".counted:nth-of-type(1)", ".counted:nth-of-type(2)"),
}
"""What stands side by side on a page where there is room, and below one another where there is not."""

IN_ONE_COLUMN = {("phone", name) for name in PAIRS} | {("tablet", "screen")}

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
