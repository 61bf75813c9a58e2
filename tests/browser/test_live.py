"""Pages follow: a save on one phone is on all others at once, on every page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, Request, expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.table import lifecycle
from tests.browser.conftest import seated
from tests.browser.pages import ScorerPhone
from tests.browser.test_evening_on_phones import HEARTS_74
from tests.browser.test_outage import back_again
from tests.conftest import StartServer
from tests.ledger import cash, table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

MIA = Access(1, Role.SCORER, "Mia")


@pytest.fixture
def books(service: Server) -> Iterator[Database]:
    """The service's books, written by another process: pages follow that, too."""
    database = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    yield database
    database.close()


def requests_of(page: Page) -> list[str]:
    """Collect the requests of a page from now on, each as its path and query."""
    requests: list[str] = []

    def note(request: Request) -> None:
        requests.append(request.url.split("/", 3)[3])

    page.on("request", note)
    return requests


def hide(page: Page, hidden: bool) -> None:
    """Let a page lie behind others, or a phone sleep; and come back."""
    page.evaluate(
        "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def test_a_saved_hand_is_pushed_to_a_follower_and_said(
    scorer: ScorerPhone, service: Server, phone: "Phones"
) -> None:
    """The follower asks for the board once, upon the news, and a screen reader hears of the hand."""
    board = scorer.session_path()
    viewer = phone(service.url, dark=True)
    viewer.goto(scorer.viewer_link())
    with viewer.expect_request(f"**{board}/live"):
        viewer.goto(board)
    expect(viewer.get_by_text("No hand yet")).to_be_visible()
    scorer.page.goto(board)
    scorer.open_hand()
    scorer.fill_hand(HEARTS_74)
    requests = requests_of(viewer)
    scorer.save()
    expect(viewer.get_by_role("heading", name="Hand 1")).to_be_visible()
    expect(viewer.locator("#heard")).to_contain_text("Hand 1. Ann")
    assert len(requests) == 1, requests
    assert phone.complaints == []


def test_history_bank_club_and_count_follow(scorer: ScorerPhone, books: Database) -> None:
    """Each page shows the hand by itself; one with typed text shows a notice and keeps the text."""
    session = scorer.session_path()
    pages = {"history": scorer.page}
    for name in ("bank", "club", "count", "typed"):
        pages[name] = scorer.page.context.new_page()
    for name, page in pages.items():
        place = {"club": "/clubs/1", "typed": f"{session}/count"}.get(name, f"{session}/{name}")
        with page.expect_request("**/live"):
            page.goto(place)
    expect(pages["history"].get_by_text("No hand yet")).to_be_visible()
    typed = pages["typed"].get_by_role("textbox", name="Ann, chips of 20")
    typed.fill("71")
    expect(pages["typed"].locator("#sum")).to_contain_text("+1,270")
    table.record(books, MIA, 1, table.HEARTS_74)
    expect(pages["history"].locator("#hand-1")).to_be_visible()
    won = pages["bank"].get_by_role("table", name="Chips by player").locator("tr", has_text="Ann")
    expect(won).to_contain_text("270")
    expect(pages["club"].get_by_text("Crazy Solo, 1 hand")).to_be_visible()
    # Of Bob: the update may bring the typed count of Ann along, as both windows share their drafts.
    expect(pages["count"].get_by_text("ledger 230")).to_be_visible()
    expect(typed).to_have_value("71")
    expect(pages["typed"].locator("#news")).to_be_visible()


def test_an_open_result_page_follows(scorer: ScorerPhone, books: Database) -> None:
    """A hand and the end of the evening appear by themselves, with the celebration."""
    page = scorer.page
    with page.expect_request("**/live"):
        page.goto(f"{scorer.session_path()}/result")
    expect(page.locator(".winner")).to_have_text("No hand yet")
    table.record(books, MIA, 1, table.HEARTS_74)
    expect(page.locator(".winner")).to_contain_text("Ann leads")
    lifecycle.close(table.write(books, MIA), 1)
    expect(page.locator(".winner")).to_contain_text("Ann won")
    expect(page.locator(".confetti")).to_be_attached()


def test_money_statement_entries_and_statistics_follow(
    scorer: ScorerPhone, books: Database
) -> None:
    """Loans, cashed-in chips and scores of another phone appear on each page by themselves."""
    session = scorer.session_path()
    places = {
        "money": "/clubs/1/money",
        "statement": "/clubs/1/players/1/statement",
        "entries": f"{session}/entries",
        "statistics": "/clubs/1/statistics",
    }
    pages = {name: scorer.page.context.new_page() for name in places}
    for name, page in pages.items():
        with page.expect_request("**/live"):
            page.goto(places[name])
    expect(pages["money"].get_by_text("Nobody owes anything.")).to_be_visible()
    table.record(books, MIA, 1, table.HEARTS_74)
    cash.lend(books, MIA, 1, "Bob", 40)
    expect(pages["entries"].get_by_text("+40").first).to_be_visible()
    expect(pages["statistics"].get_by_role("link", name="Ann 1 hand")).to_contain_text("+120")
    cash.convert(books, MIA, 1, cash.TEN_FOR_ONE)
    expect(pages["money"].get_by_role("list", name="Balances")).to_contain_text("0.12")
    expect(pages["statement"].get_by_role("heading", level=1)).to_have_text("Ann")
    expect(pages["statement"].get_by_text("is owed")).to_be_visible()


def test_a_follower_catches_up_after_sleep_and_after_the_server_was_gone(
    scorer: ScorerPhone, service: Server, books: Database
) -> None:
    """A hand scored in the meantime shows as soon as the phone wakes, or the server is back."""
    page = scorer.page
    hide(page, True)
    table.record(books, MIA, 1, table.HEARTS_74)
    with page.expect_request("**/live"):
        hide(page, False)
    expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
    service.kill()
    expect(page.locator("#offline")).to_contain_text("trying again")
    table.record(books, MIA, 1, table.ALONE_85)
    revived = back_again(service)
    try:
        expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
        expect(page.locator("#offline")).to_be_hidden()
    finally:
        revived.stop()


def test_seven_windows_side_by_side_leave_room_for_a_save_and_all_show_it(
    scorer: ScorerPhone,
) -> None:
    """A browser holds six connections to a plain HTTP server: not each window keeps one for its stream."""
    board = scorer.session_path()
    others = [scorer.page.context.new_page() for _ in range(6)]
    for page in others:
        with page.expect_request("**/live"):
            page.goto(board)
    scorer.open_hand()
    scorer.fill_hand(HEARTS_74)
    scorer.save()
    for page in others:
        expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()


def test_where_no_stream_can_be_had_a_page_asks_for_itself(
    server: StartServer, phone: "Phones"
) -> None:
    """As many follow as may: the board still shows the hand."""
    service = server(environment={"LEDGER_FOLLOWERS": "0"})
    scorer = seated(service, phone(service.url))
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    table.record(books, MIA, 1, table.HEARTS_74)
    books.close()
    expect(scorer.page.get_by_role("heading", name="Hand 1")).to_be_visible()
