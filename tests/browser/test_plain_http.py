"""A home table has plain HTTP, where a browser keeps much from a page: all but the installing works."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import seated
from tests.browser.pages import ScorerPhone
from tests.browser.test_evening_on_phones import HEARTS_74
from tests.browser.test_outage import back_again
from tests.browser.test_outbox import GO_ALONE, kept
from tests.browser.waiting import draft_kept
from tests.support.chromium import KITCHEN
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

WITHHELD = """() => [
    [isSecureContext, "secure"], [navigator.serviceWorker, "workers"], [navigator.clipboard, "clipboard"],
    [navigator.locks, "locks"], [navigator.wakeLock, "wake lock"], [crypto.subtle, "subtle"],
    [crypto.randomUUID, "random names"], [navigator.share, "share sheet"],
].filter(([there]) => there).map(([, name]) => name)"""


@pytest.fixture
def kitchen(service: Server) -> str:
    """The service's address by a name that is not this machine's own, as phones at a table type it."""
    return service.url.replace("127.0.0.1", KITCHEN)


def followed(page: Page, board: str) -> None:
    """Look at a scoreboard, and wait until it follows."""
    with page.expect_request("**/live"):
        page.goto(board)


def test_a_hand_a_reload_the_link_and_the_board_view_work_over_plain_http(
    service: Server, phone: "Phones", kitchen: str
) -> None:
    """A whole hand, a half-entered one that comes back, a link copied for viewers, and the followed board."""
    scorer = seated(service, phone(kitchen), by_passcode=True)
    page, board = scorer.page, scorer.session_path()
    assert page.evaluate(WITHHELD) == []
    assert scorer.score_hand(HEARTS_74)["Ann"] == 120
    scorer.open_hand()
    scorer.fill_hand(GO_ALONE)
    draft_kept(page)
    page.reload()
    expect(page.get_by_label("Card points", exact=True)).to_have_value("74")
    expect(page.locator("#draft")).to_contain_text("is back")
    link = scorer.viewer_link()
    assert link.startswith(kitchen)
    page.get_by_role("button", name="Copy").first.tap()
    expect(page.get_by_role("button", name="Copied").first).to_be_visible()
    viewer = phone(kitchen)
    viewer.goto(link)
    followed(viewer, f"{board}/screen")
    page.goto(f"{board}/hands/new")
    scorer.payout()
    scorer.save()
    expect(viewer.get_by_role("heading", name="Hand 2")).to_be_visible()
    assert phone.complaints == []


def test_a_hand_sent_to_a_killed_server_over_plain_http_is_saved_once(
    service: Server, phone: "Phones", kitchen: str
) -> None:
    """It is kept in the browser though its tab is closed, and goes out once the server is back."""
    scorer = seated(service, phone(kitchen), by_passcode=True)
    board, other = scorer.session_path(), ScorerPhone(scorer.page.context.new_page())
    followed(other.page, board)
    scorer.open_hand()
    scorer.fill_hand(GO_ALONE)
    service.kill()
    scorer.page.get_by_role("button", name="Save hand 1").tap()
    kept(scorer.page)
    scorer.page.close()
    expect(other.page.locator("#pending")).to_contain_text("Hand 1 Ann · Go alone in hearts")
    revived = back_again(service)
    try:
        expect(other.page.get_by_text("1 hand.")).to_be_visible()
        expect(other.page.locator("#pending")).to_be_hidden()
    finally:
        revived.stop()
