"""A tablet in the middle of the table, and a desktop: they score and follow as a phone does."""

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import showing
from tests.browser.conftest import SEVEN, seated
from tests.browser.pages import ScorerPhone, opener_of
from tests.browser.screenshots import SIZES, places
from tests.browser.test_evening_on_phones import HEARTS_74
from tests.browser.test_legible import barriers
from tests.browser.test_outage import back_again
from tests.browser.waiting import draft_kept
from tests.ledger.server.test_followers import read
from tests.ledger.server.test_serving import connected
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

LAID_OUT_ANEW = ("board", "club", "history", "count-chips", "result", "screen", "correct-hand")
"""Pages whose parts stand elsewhere where there is room."""


def test_a_tablet_and_a_desktop_score_at_once_and_the_server_dies_meanwhile(
    service: Server, phone: "Phones"
) -> None:
    """The payout needs no server; the answers outlive the crash; the other's half-entered hand is next."""
    tablet = seated(service, phone(service.url, size=SIZES["tablet"]), SEVEN)
    desk = ScorerPhone(phone(service.url, size=SIZES["desktop"], touch=False))
    desk.enter_club("Kitchen table", "four aces", "Tom")
    desk.page.goto(tablet.session_path())
    desk.open_hand()
    desk.page.locator('input[name="bidder"][value="Dee"]').click()
    tablet.open_hand()
    page, form = tablet.page, tablet.page.url
    page.locator('input[name="bidder"][value="Cyd"]').click()
    service.kill()
    for name, value in (("bid", "go-alone"), ("trump", "S")):
        page.locator(f'input[name="{name}"][value="{value}"]').click()
    for digit in "74":
        page.locator(f'.pad [data-key="{digit}"]').click()
    expect(page.get_by_role("button", name="Save hand 1")).to_be_enabled()
    assert tablet.payout()["Cyd"] == 180
    draft_kept(page)
    page.goto("about:blank")
    revived = back_again(service)
    try:
        page.goto(form)
        expect(opener_of(page, "Bid")).to_contain_text("Go alone")
        expect(page.get_by_label("Card points", exact=True)).to_have_value("74")
        assert tablet.payout()["Cyd"] == 180
        tablet.save()
        expect(desk.page.locator("#notice")).to_contain_text("Yours is hand 2 now")
        expect(opener_of(desk.page, "Caller")).to_contain_text("Dee")
        desk.fill_hand({"contract": {"bidder": "Dee", "bid": "go-alone-in-hearts"}, "points": 74})
        assert desk.payout()["Dee"] == 240
        desk.save()
        expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    finally:
        revived.stop()


def test_thirty_follow_and_all_are_told_of_a_hand_from_the_tablet(
    service: Server, phone: "Phones"
) -> None:
    """Twenty-nine pages of three phones that only listen, and one with the page open."""
    tablet = phone(service.url, size=SIZES["tablet-landscape"])
    scorer = seated(service, tablet, SEVEN)
    board = scorer.session_path()
    viewer = ScorerPhone(phone(service.url))
    viewer.enter_club("Kitchen table", "four aces", "Tom")
    with viewer.page.expect_request("**/live"):
        viewer.page.goto(board)
    requests = []
    for name in ("Uma", "Vic", "Wes"):
        listener = ScorerPhone(phone(service.url))
        listener.enter_club("Kitchen table", "four aces", name)
        cookies = listener.page.context.cookies()
        cookie = "; ".join(f"{each['name']}={each['value']}" for each in cookies)
        requests.append(
            f"GET {board}/live HTTP/1.1\r\nHost: {service.url.removeprefix('http://')}\r\n"
            f"Accept: text/event-stream\r\nCookie: {cookie}\r\n\r\n".encode()
        )
    with ExitStack() as lines:
        phones = [lines.enter_context(connected(service, requests[at % 3])) for at in range(29)]
        for each in phones:
            assert b"data: 1\n\n" in read(each, b"data: 1\n\n")
        scorer.score_hand(HEARTS_74)
        for each in phones:
            assert b"data: 2\n\n" in read(each, b"data: 2\n\n")
    expect(viewer.page.get_by_role("heading", name="Hand 1")).to_be_visible()


def test_nothing_bars_anybody_where_pages_are_laid_out_anew(
    service: Server, phone: "Phones"
) -> None:
    """On a desktop: axe finds nothing; the same pages on a phone are looked at elsewhere."""
    known = places(service)
    page = phone(service.url, size=SIZES["desktop"], touch=False)
    ScorerPhone(page).enter_club(showing.CLUB, showing.PASSCODE, showing.AUTHOR)
    results = {}
    for name in LAID_OUT_ANEW:
        page.goto(known[name])
        results[name] = barriers(page)
    assert {name: words for name, words in results.items() if words} == {}
