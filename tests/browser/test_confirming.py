"""A second pair of eyes with two phones: a hand saved on one is confirmed with one tap on the other."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.money import currency
from tests.browser.pages import ScorerPhone
from tests.browser.test_evening_on_phones import HEARTS_74
from tests.browser.test_outage import back_again
from tests.ledger import table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser


def test_a_confirmation_tapped_offline_is_sent_once_the_ledger_is_back(
    scorer: ScorerPhone, service: Server
) -> None:
    """The phone says that the hand is not confirmed yet, and confirms it by itself."""
    database = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    mia = Access(1, Role.OWNER, "Mia", holder="another phone")
    currency.change(table.write(database, mia), confirm_from=1)
    table.record(database, mia, 1, table.HEARTS_74)
    database.close()
    page = scorer.page
    page.goto(scorer.session_path())
    service.kill()
    page.get_by_role("button", name="Confirm hand 1").tap()
    expect(page.locator("#offline")).to_contain_text(
        "The hand is not confirmed yet; it will be once the connection is back."
    )
    revived = back_again(service)
    try:
        expect(page.locator("#unconfirmed")).to_have_count(0)
        page.goto(f"{scorer.session_path()}/result")
        expect(page.locator("#unconfirmed")).to_have_count(0)
    finally:
        revived.stop()


def test_a_hand_is_confirmed_with_one_tap_on_the_other_phones_notice(
    scorer: ScorerPhone, service: Server, phone: "Phones"
) -> None:
    """The mark leaves the scoreboard of the phone that saved it; a form that is half filled in stays so."""
    database = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    currency.change(table.write(database, Access(1, Role.OWNER, "Mia")), confirm_from=1)
    database.close()
    board = scorer.session_path()
    other = ScorerPhone(phone(service.url))
    other.enter_club("Kitchen table", "four aces", "Tom")
    other.page.goto(board)
    for number in (1, 2):
        scorer.page.goto(board)
        scorer.open_hand()
        scorer.fill_hand(HEARTS_74)
        scorer.save()
        own = scorer.page.locator("#unconfirmed")
        expect(own).to_contain_text("1 hand is not confirmed yet")
        expect(own.get_by_role("button")).to_have_count(0)
        other.page.get_by_role("button", name=f"Confirm hand {number}").click()
        expect(own).to_have_count(0)
        if number == 1:
            expect(other.page.locator("#unconfirmed")).to_have_count(0)
            other.open_hand()
            other.page.locator('input[name="bidder"][value="Cyd"]').click()
    expect(other.page.locator("#notice")).to_have_count(0)
    expect(other.page.get_by_role("button", name="Caller: Cyd")).to_be_visible()
    assert phone.complaints == []
