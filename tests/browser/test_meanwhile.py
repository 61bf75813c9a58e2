"""Saves by others while a hand is being typed: shown in the form and adopted; nothing typed is lost."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Route, expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from tests.browser.pages import ScorerPhone
from tests.browser.test_evening_on_phones import HEARTS_74
from tests.browser.test_outbox import kept
from tests.ledger import table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser


def save_beside(service: Server) -> None:
    """Let somebody else record Ann's hand in hearts."""
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    table.record(books, Access(1, Role.SCORER, "Zed"), 1, table.HEARTS_74)
    books.close()


def test_anothers_hand_is_said_in_the_form_and_every_digit_stays(
    scorer: ScorerPhone, service: Server, phone: "Phones"
) -> None:
    """Also one that is typed while the ledger is asked for news; the next save is hand 2."""
    page = scorer.page
    with page.expect_request("**/live"):
        scorer.open_hand()
    for name, value in (("bidder", "Cyd"), ("bid", "go-alone"), ("trump", "S")):
        page.locator(f'input[name="{name}"][value="{value}"]').click()
    key = page.get_by_role("button", name="7", exact=True)
    key.click()
    waiting: list[Route] = []
    page.route("**/hands/new", lambda route: waiting.append(route))
    with page.expect_request("**/hands/new"):
        save_beside(service)
    key.click()
    waiting[0].continue_()
    page.unroute("**/hands/new")
    notice = page.locator("#notice")
    expect(notice).to_contain_text("Hand 1: Ann with Bob")
    expect(notice).to_contain_text("Yours is hand 2 now: Ann deals, Bob leads.")
    expect(page.locator("#heard")).to_contain_text("Yours is hand 2 now")
    expect(page.locator("#heard")).not_to_contain_text("..")
    expect(page.get_by_label("Card points", exact=True)).to_have_value("77")
    told = page.locator("#told button")
    expect(told).to_have_text(["Cyd", "Go alone", "♠\ufe0e"], use_inner_text=True)
    scorer.payout()
    assert scorer.save().startswith("Hand 2 saved")
    assert phone.complaints == []


def test_two_hands_alike_of_one_device_are_no_question(scorer: ScorerPhone) -> None:
    """Both were begun at one moment and saved offline: the second has seen the first, as it is its own."""
    page, context = scorer.page, scorer.page.context
    board = scorer.session_path()
    other = ScorerPhone(context.new_page())
    for each in (page, other.page):
        each.goto(f"{board}/hands/new")
    waiting = context.new_page()
    waiting.goto(board)
    for typed in (scorer, other):
        typed.page.bring_to_front()
        typed.fill_hand(HEARTS_74)
    context.set_offline(True)
    for each in (page, other.page):
        each.bring_to_front()
        each.get_by_role("button", name="Save hand 1").tap()
        kept(each)
        each.close()
    waiting.bring_to_front()
    context.set_offline(False)
    expect(waiting.get_by_text("2 hands.")).to_be_visible()
    expect(waiting.locator("#pending")).to_be_hidden()


def test_the_same_hand_saved_offline_is_recognised_once_it_goes_out(
    scorer: ScorerPhone, service: Server
) -> None:
    """While pending it is shown with the question; when discarded, neither it nor its draft is left."""
    page = scorer.page
    board = scorer.session_path()
    scorer.open_hand()
    scorer.fill_hand(HEARTS_74)
    page.context.set_offline(True)
    page.get_by_role("button", name="Save hand 1").tap()
    kept(page)
    save_beside(service)
    page.context.set_offline(False)
    question = page.get_by_text("The same hand as hand 1?")
    expect(question).to_be_visible()
    page.goto(board)  # as if the page had been closed before the answer came
    page.get_by_role("button", name="Score a hand").click()
    expect(question).to_be_visible()
    expect(page.get_by_role("button", name="Save hand 2")).to_be_hidden()
    page.locator("#same").get_by_role("button", name="Discard mine").tap()
    expect(page.get_by_role("table", name="Standings")).to_be_visible()
    expect(page.locator("#pending")).to_be_hidden()
    expect(page.get_by_text("1 hand.")).to_be_visible()
    scorer.open_hand()
    expect(page.locator("#told button")).to_have_count(0)
