"""The form of the next hand without a connection: kept before it is opened, and not an old one."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import ScorerPhone
from tests.browser.test_outage import back_again
from tests.browser.test_outbox import GO_ALONE, MIA, books_of
from tests.browser.test_unsent import installed, overtaken_offline, played, save_in_vain
from tests.browser.waiting import draft_kept
from tests.ledger import table
from tests.support.server import Server

__all__ = ("installed",)

pytestmark = pytest.mark.browser


FORM_KEPT = """async ([path, title]) => {
    for (const until = performance.now() + 30000; performance.now() < until;) {
        const kept = await caches.match(path);
        if ((await kept?.text())?.includes(title)) return true;
        await new Promise((next) => setTimeout(next, 20));
    }
    return false;
}"""
"""Whether the browser stores a page with a title for the service worker, within some seconds."""

OF_MAY = """async (path) => {
    const text = await (await caches.match(path)).text();
    const headers = { "content-type": "text/html", date: "Mon, 04 May 2026 12:00:00 GMT" };
    await (await caches.open("solo-ledger-pages")).put(path, new Response(text, { headers }));
}"""
"""Makes a stored page one of 4 May."""


def form_kept(page: Page, board: str, number: int) -> None:
    """Wait until the device has the form of a hand, which it needn't have opened."""
    assert page.evaluate(FORM_KEPT, [f"{board}/hands/new", f"<h1>Hand {number}</h1>"])


def test_the_form_opened_offline_is_that_of_the_hand_after_the_saved_one(
    installed: ScorerPhone, service: Server
) -> None:
    """Its dealer and balances are the table's; two hands entered there go out in order, unasked."""
    scorer, page, board = installed, installed.page, installed.session_path()
    scorer.score_hand(table.HEARTS_74)
    form_kept(page, board, 2)
    service.kill()
    page.get_by_role("button", name="Score a hand").tap()
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    expect(page.locator("#who-deals > summary")).to_contain_text("Ann deals, Bob leads")
    expect(page.locator("#older")).to_be_hidden()
    assert '"Ann":270' in page.evaluate("soloHand.blank().dataset.standings")
    save_in_vain(scorer, 2, 80)
    expect(page.locator("#payout")).to_contain_text("80 card points, 20 over 60")
    page.get_by_role("button", name="Score the next hand").tap()
    save_in_vain(scorer, 3, 91)
    page.goto(board)
    expect(page.locator("#pending li")).to_contain_text(["Hand 2 Ann", "Hand 3 Ann"])
    expect(page.get_by_text("1 hand.")).to_be_visible()
    revived = back_again(service)
    try:
        expect(page.get_by_text("3 hands.")).to_be_visible()
        expect(page.locator("#pending")).to_be_hidden()
        assert played(service) == [("Gus", 74), ("Ann", 80), ("Bob", 91)]
    finally:
        revived.stop()


def test_a_phone_enters_a_hand_offline_that_never_opened_its_form(
    installed: ScorerPhone, service: Server
) -> None:
    """Its scoreboard was open, and another scorer's hand came in; the payout is there, too."""
    scorer, page = installed, installed.page
    form_kept(page, scorer.session_path(), 1)
    books = books_of(service)
    table.record(books, MIA, 1, table.HEARTS_74)
    books.close()
    form_kept(page, scorer.session_path(), 2)
    service.kill()
    page.get_by_role("button", name="Score a hand").tap()
    save_in_vain(scorer, 2, 80)
    expect(page.locator("#payout")).to_contain_text("80 card points, 20 over 60")
    revived = back_again(service)
    try:
        expect(page.get_by_text("2 hands.")).to_be_visible()
        assert played(service) == [("Gus", 74), ("Ann", 80)]
    finally:
        revived.stop()


def test_a_form_that_is_older_than_the_saved_hand_says_so(
    installed: ScorerPhone, service: Server
) -> None:
    """The connection was lost right after the save; the hand is shown again with number and dealer."""
    scorer, page, board = installed, installed.page, installed.session_path()
    form_kept(page, board, 1)
    scorer.open_hand()
    expect(page.locator("#older")).to_be_hidden()
    scorer.fill_hand(GO_ALONE)
    scorer.payout()
    page.context.route("**/sessions/1?*", lambda route: route.abort())
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.locator("#offline")).to_be_visible()
    draft_kept(page)  # and with it the number of the last change
    service.kill()
    page.goto(f"{board}/hands/new")
    expect(page.locator("#older")).to_contain_text("older than the last change at the table")
    save_in_vain(scorer, 1, 80)
    revived = back_again(service)
    try:
        notice = page.locator("#notice")
        expect(notice).to_contain_text("Yours is hand 2 now: Ann deals")
        expect(notice).not_to_contain_text("Somebody else")
        expect(page.locator("#older")).to_be_hidden()
    finally:
        revived.stop()


def test_a_later_hand_is_not_saved_before_one_that_was_refused(
    scorer: ScorerPhone, service: Server
) -> None:
    """Its button leads to that one, until it is saved or discarded."""
    page = overtaken_offline(scorer, service)
    revived = back_again(service)
    try:
        first = page.get_by_role("button", name="Hand 1 comes first")
        expect(first).to_be_visible()
        expect(page.get_by_role("button", name="Save hand 2")).to_be_hidden()
        first.tap()
        expect(page.get_by_role("button", name="Look at both")).to_be_focused()
        page.get_by_role("button", name="Discard mine").tap()
        expect(first).to_be_hidden()
        scorer.payout()
        assert scorer.save().startswith("Hand 2 saved")
        assert [points for _, points in played(service)] == [74, 80]
    finally:
        revived.stop()


def test_a_page_kept_for_offline_use_shows_its_time_until_it_is_current(
    installed: ScorerPhone, service: Server
) -> None:
    """With the day if that is another one."""
    page, board = installed.page, installed.session_path()
    page.goto(board)
    expect(page.locator("#seen-at")).to_have_count(0)
    service.kill()
    page.reload()
    expect(page.locator("#seen-at")).to_have_text(re.compile(r"^This page is as of \d\d:\d\d\.$"))
    page.evaluate(OF_MAY, board)
    page.reload()
    expect(page.locator("#seen-at")).to_have_text(re.compile(r"as of 4 May, \d\d:\d\d\."))
    revived = back_again(service)
    try:
        expect(page.locator("#seen-at")).to_have_count(0)
    finally:
        revived.stop()
