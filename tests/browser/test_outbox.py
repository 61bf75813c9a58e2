"""Nothing typed is lost: half-entered hands and unanswered requests outlive their page."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.reader_language import COOKIE
from ledger.server.app import POLICY
from tests.browser.conftest import seated
from tests.browser.pages import ScorerPhone
from tests.browser.test_outage import back_again
from tests.browser.waiting import draft_kept
from tests.ledger import table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

GO_ALONE = {"contract": {"bidder": "Ann", "bid": "go-alone-in-hearts"}, "points": 74}
MIA = Access(1, Role.SCORER, "Mia")


def books_of(service: Server) -> Database:
    """The service's books."""
    return Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")


def lend(page: Page, name: str, chips: str) -> None:
    """Fill in a loan and send it."""
    page.get_by_role("group", name="Player").get_by_role("radio", name=name).check()
    page.get_by_label("Chips", exact=True).fill(chips)
    page.get_by_role("button", name="Move the chips").tap()


def kept(page: Page) -> None:
    """Wait until the failed request is stored in the browser."""
    expect(page.locator("#offline")).to_contain_text("will be sent automatically once it is back")
    expect(page.locator("form[data-kept]")).to_have_count(1)


def test_a_half_entered_hand_survives_a_reload_and_a_closed_tab(
    scorer: ScorerPhone, phone: "Phones"
) -> None:
    """It is filled in again, and thrown away when somebody starts afresh."""
    page = scorer.page
    scorer.open_hand()
    scorer.fill_hand(GO_ALONE)
    address = page.url
    draft_kept(page)
    page.reload()
    expect(page.get_by_label("Card points", exact=True)).to_have_value("74")
    expect(page.locator("#draft")).to_contain_text("is back")
    other = page.context.new_page()
    page.close()
    other.goto(address)
    expect(other.get_by_label("Card points", exact=True)).to_have_value("74")
    expect(other.get_by_role("region", name="Payout")).to_be_visible()
    other.get_by_role("button", name="Start afresh").tap()
    expect(other.locator("#draft")).to_be_hidden()
    expect(other.get_by_label("Card points", exact=True)).to_be_hidden()
    assert phone.complaints == []


def test_a_hand_sent_to_a_killed_server_is_saved_once_from_another_page(
    scorer: ScorerPhone, service: Server
) -> None:
    """The tab was closed in the meantime; the board shows the hand as pending, and then as saved."""
    page = scorer.page
    board, context = scorer.session_path(), page.context
    scorer.open_hand()
    scorer.fill_hand(GO_ALONE)
    other = context.new_page()
    other.goto(board)
    service.kill()
    page.get_by_role("button", name="Save hand 1").tap()
    kept(page)
    page.close()
    expect(other.locator("#pending")).to_contain_text("Hand 1 Ann · Go alone in hearts")
    expect(other.locator("#pending")).to_contain_text("sent once the ledger is back")
    revived = back_again(service)
    try:
        expect(other.get_by_role("heading", name="Hand 1")).to_be_visible()
        expect(other.locator("#pending")).to_be_hidden()
        expect(other.get_by_text("1 hand.")).to_be_visible()
    finally:
        revived.stop()


def test_two_loans_made_offline_go_out_in_order(scorer: ScorerPhone, service: Server) -> None:
    """Both were made at the same revision: the second has seen the first."""
    page = scorer.page
    bank = f"{scorer.session_path()}/bank"
    other = page.context.new_page()
    for each in (page, other):
        each.goto(bank)
    waiting = page.context.new_page()
    waiting.goto(scorer.session_path())
    service.kill()
    for each, name in ((page, "Cyd"), (other, "Dee")):
        lend(each, name, "50")
        kept(each)
        each.close()
    revived = back_again(service)
    try:
        waiting.reload()
        expect(waiting.locator("#pending")).to_be_hidden()
        waiting.goto(bank)
        chips = waiting.get_by_role("table", name="Chips by player")
        for name in ("Cyd", "Dee"):
            expect(chips.locator("tr", has_text=name)).to_contain_text("200")
    finally:
        revived.stop()


def test_a_conflict_is_shown_with_both_and_a_choice(scorer: ScorerPhone, service: Server) -> None:
    """Somebody else saved a hand in the meantime: nothing is overwritten or discarded without a question."""
    page = scorer.page
    board = scorer.session_path()
    scorer.open_hand()
    scorer.fill_hand(GO_ALONE)
    other = page.context.new_page()
    other.goto(board)
    service.kill()
    page.get_by_role("button", name="Save hand 1").tap()
    kept(page)
    page.close()
    books = books_of(service)
    table.record(books, MIA, 1, table.HEARTS_74)
    books.close()
    revived = back_again(service)
    try:
        other.goto(board)
        pending = other.locator("#pending")
        expect(pending).to_contain_text("has changed meanwhile")
        pending.get_by_role("button", name="Look at both").tap()
        expect(other.locator("#notice")).to_contain_text("Hand 1")
        expect(other.get_by_label("Card points", exact=True)).to_have_value("74")
        other.goto(board)
        other.get_by_role("button", name="Discard mine").tap()
        expect(pending).to_be_hidden()
        expect(other.get_by_text("1 hand.")).to_be_visible()
    finally:
        revived.stop()


def test_a_loan_half_entered_and_a_count_come_back(scorer: ScorerPhone) -> None:
    """Each form under its own address; a payment's goes the same way."""
    page = scorer.page
    page.goto(f"{scorer.session_path()}/bank")
    page.get_by_role("group", name="Player").get_by_role("radio", name="Cyd").check()
    page.get_by_label("Chips", exact=True).fill("5")
    draft_kept(page)
    page.goto(f"{scorer.session_path()}/count")
    twenties = page.get_by_role("textbox", name="Ann, chips of 20")
    twenties.fill("7")
    expect(page.locator("#sum")).to_contain_text("1 of 7 counted")
    draft_kept(page)
    page.goto(f"{scorer.session_path()}/bank")
    expect(page.get_by_label("Chips", exact=True)).to_have_value("5")
    expect(
        page.get_by_role("group", name="Player").get_by_role("radio", name="Cyd")
    ).to_be_checked()
    page.goto(f"{scorer.session_path()}/count")
    expect(twenties).to_have_value("7")
    expect(page.locator("#sum")).to_contain_text("1 of 7 counted")


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "No connection"), ("de", "Keine Verbindung"), ("ja", "接続できません")],
)
def test_an_installed_program_opens_its_start_page_and_an_offline_page(
    service: Server, phone: "Phones", language: str, words: str
) -> None:
    """Neither was open here before. The offline page is in the reader's language and as strict as any."""
    page = phone(service.url, installs=True)
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": service.url}])
    board = seated(service, page).session_path()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    service.kill()
    page.goto("/")
    expect(page.get_by_role("link", name="Kitchen table")).to_be_visible()
    for unseen in ("/display", "/enter", "/start", f"{board}/history"):
        answer = page.goto(unseen)
        assert answer is not None
        assert answer.headers["content-security-policy"] == POLICY
        expect(page.get_by_role("heading", name=words)).to_be_visible()
    revived = back_again(service)
    try:
        page.locator(".dock a").last.tap()
        expect(page.locator("main")).to_have_class("hands")
    finally:
        revived.stop()


FORGOTTEN = """async () => {
    const seen = await (await caches.open("solo-ledger-pages")).keys();
    return !seen.some(({ url }) => url.includes("/clubs/"));
}"""
"""Whether no page of a club is stored for the service worker."""


def test_an_installed_program_opens_offline_and_forgets_a_club_it_leaves(
    service: Server, phone: "Phones"
) -> None:
    """Pages show as they were last seen, a hand entered there is saved once; after leaving none is left."""
    scorer = seated(service, phone(service.url, installs=True))
    page, board = scorer.page, scorer.session_path()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for place in (f"{board}/bank", board):
        page.goto(place)
    service.kill()
    page.goto(f"{board}/bank")
    expect(page.get_by_role("heading", name="Bank")).to_be_visible()
    lend(page, "Cyd", "50")
    kept(page)
    page.goto(board)
    expect(page.locator("#pending")).to_contain_text("Bank Lends · Cyd · 50")
    revived = back_again(service)
    try:
        expect(page.locator("#pending")).to_be_hidden()
        page.goto(f"{board}/bank")
        row = page.get_by_role("table", name="Chips by player").locator("tr", has_text="Cyd")
        expect(row).to_contain_text("200")
        page.goto("/clubs/1/share")
        page.locator("summary", has_text="Leave this club").click()
        page.get_by_role("button", name="Leave the club").click()
        expect(page.get_by_role("heading", name="Solo Ledger")).to_be_visible()
        page.wait_for_function(FORGOTTEN)
    finally:
        revived.stop()
