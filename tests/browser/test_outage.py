"""The ledger goes away for a while: nothing typed is lost, and requests are repeated."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import ScorerPhone, opener_of
from tests.support.server import Server, answering, fork_server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser


def back_again(service: Server) -> Server:
    """Restart the service with the same books, at the same address."""
    port = int(service.url.rsplit(":", 1)[1])
    return answering(fork_server(service.folder, port=port))


def choose(page: Page, group: str, name: str) -> None:
    """Tap a choice."""
    page.get_by_role("group", name=group, exact=True).get_by_role(
        "radio", name=name, exact=True
    ).click()


def test_a_hand_saved_in_an_outage_is_saved_once_it_is_over(
    scorer: ScorerPhone, service: Server
) -> None:
    """The line is true: nobody taps again, and one hand is written."""
    page = scorer.page
    scorer.open_hand()
    scorer.fill_hand({"contract": {"bidder": "Ann", "bid": "go-alone-in-hearts"}, "points": 74})
    service.kill()
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.locator("#offline")).to_contain_text("will be sent automatically once it is back")
    expect(page.get_by_label("Card points", exact=True)).to_have_value("74")
    revived = back_again(service)
    try:
        expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
        expect(page.get_by_text("1 hand.")).to_be_visible()
        expect(page.locator("#offline")).to_be_hidden()
    finally:
        revived.stop()


def test_taps_in_an_outage_are_answered_and_so_is_the_payout(
    scorer: ScorerPhone, service: Server
) -> None:
    """The field for the points is there at once, and so are the payout and the button that saves."""
    page = scorer.page
    scorer.open_hand()
    choose(page, "Caller", "Ann")
    expect(opener_of(page, "Caller")).to_be_visible()
    service.kill()
    choose(page, "Bid", "Go alone in hearts")
    expect(page.get_by_label("Card points", exact=True)).to_be_visible()
    expect(page.locator("#offline")).to_be_hidden()
    for digit in "74":
        page.get_by_role("button", name=digit, exact=True).click()
    expect(page.get_by_role("button", name="Save hand 1")).to_be_enabled()
    expect(page.get_by_role("region", name="Payout")).to_be_visible()
    expect(page.locator("#offline")).to_be_hidden()


def test_chips_lent_in_an_outage_are_lent_once(scorer: ScorerPhone, service: Server) -> None:
    """The bank's form stays and goes out by itself, as the hand's does."""
    page = scorer.page
    page.goto(f"{scorer.session_path()}/bank")
    page.get_by_role("group", name="Player").get_by_role("radio", name="Cyd").check()
    page.get_by_label("Chips", exact=True).fill("50")
    service.kill()
    page.get_by_role("button", name="Move the chips").tap()
    expect(page.locator("#offline")).to_contain_text("will be sent automatically once it is back")
    expect(page.get_by_label("Chips", exact=True)).to_have_value("50")
    revived = back_again(service)
    try:
        expect(page.get_by_role("status").filter(has_text="The bank has lent")).to_be_visible()
        row = page.get_by_role("table", name="Chips by player").locator("tr", has_text="Cyd")
        expect(row).to_contain_text("200")
    finally:
        revived.stop()


def test_what_was_changed_in_an_outage_waits_for_a_tap(
    scorer: ScorerPhone, service: Server
) -> None:
    """A number half typed is never sent by itself; the line asks for another tap."""
    page = scorer.page
    page.goto(f"{scorer.session_path()}/bank")
    page.get_by_role("group", name="Player").get_by_role("radio", name="Cyd").check()
    page.get_by_label("Chips", exact=True).fill("50")
    service.kill()
    page.get_by_role("button", name="Move the chips").tap()
    expect(page.locator("#offline")).to_contain_text("sent automatically")
    page.get_by_label("Chips", exact=True).fill("5")
    expect(page.locator("#offline")).to_contain_text("tap the button again")
    revived = back_again(service)
    try:
        expect(page.locator("#offline")).to_be_hidden()
        expect(page.get_by_label("Chips", exact=True)).to_have_value("5")
        row = page.get_by_role("table", name="Chips by player").locator("tr", has_text="Cyd")
        expect(row).not_to_contain_text("200")
        page.get_by_role("button", name="Move the chips").tap()
        expect(page.get_by_role("status").filter(has_text="The bank has lent")).to_be_visible()
        expect(row).to_contain_text("155")
    finally:
        revived.stop()


def test_a_club_started_in_an_outage_keeps_its_form(service: Server, phone: "Phones") -> None:
    """A form outside every club goes the same way."""
    page = phone(service.url)
    page.goto("/start")
    page.get_by_label("Club name").fill("Kitchen table")
    page.get_by_label("Passcode").fill("four aces")
    service.kill()
    page.get_by_role("button", name="Start the club").tap()
    expect(page.locator("#offline")).to_be_visible()
    expect(page.get_by_label("Club name")).to_have_value("Kitchen table")
    revived = back_again(service)
    try:
        heading = page.get_by_role("heading", name="Kitchen table")
        expect(heading).to_be_visible()
    finally:
        revived.stop()
