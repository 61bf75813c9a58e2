"""The auction is entered call by call on the hand form without a request, with the ledger there or not."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.conftest import seated
from tests.browser.waiting import draft_kept
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser


def opened(service: Server, page: Page, game: str, seats: int = 3) -> Page:
    """Open the auction of a new hand, once the page has the table's file."""
    scorer = seated(service, page, ("Ann", "Bob", "Cyd", "Dee")[:seats], game)
    page.goto(f"{scorer.session_path()}/hands/new")
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    page.locator("#more-auction > summary").click()
    return page


def call(page: Page, *names: str) -> None:
    """Tap calls by their names, one after the other; each must be offered."""
    for name in names:
        calls = page.locator("#auction").input_value()
        page.locator("#more-auction").get_by_role("button", name=name, exact=True).click()
        expect(page.locator("#auction")).not_to_have_value(calls)


def test_without_the_ledger_the_calls_lead_to_the_contract_and_its_payout(
    service: Server, phone: "Phones"
) -> None:
    """Doubles and redoubles included; undone, bidder and bid are asked for again."""
    page = opened(service, phone(service.url), "progressive")
    service.kill()
    call(page, "Pass", "Frog", "Double", "Redouble Cyd", "Pass", "Pass")
    expect(page.locator("#auction")).to_have_value(
        "Ann pass\nBob frog\nCyd double\nBob redouble Cyd\nBob pass\nCyd pass"
    )
    expect(page.locator("#more-auction > p")).to_be_hidden()
    page.fill("#points", "90")
    payout = page.get_by_role("region", name="Payout")
    expect(payout).to_contain_text("Cyd was redoubled")
    expect(payout.get_by_role("row", name="Ann")).to_contain_text("−30")
    expect(payout.get_by_role("row", name="Cyd")).to_contain_text("−120")
    call(page, *["Undo the last call"] * 4)
    expect(page.locator("#more-auction > p")).to_have_text("Cyd calls:")
    expect(page.locator("#told")).to_have_text("")
    expect(payout).to_be_hidden()


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_the_page_offers_the_calls_by_the_names_that_the_ledger_gives_them(
    service: Server, phone: "Phones", language: str
) -> None:
    """No request is sent for a call."""
    page = phone(service.url)
    page.context.add_cookies(
        [{"name": "solo-ledger-language", "value": language, "url": service.url}]
    )
    opened(service, page, "german-solo", 4)
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))
    line, buttons = page.locator("#more-auction > p"), page.locator("#more-auction > .calls")
    by_the_ledger = line.inner_text(), buttons.inner_text()
    buttons.locator('[value="Ann pass"]').click()
    expect(line).to_have_text(by_the_ledger[0].replace("Ann", "Bob"))
    page.locator('#more-auction [value="undo"]').click()
    expect(line).to_have_text(by_the_ledger[0])
    assert (line.inner_text(), buttons.inner_text()) == by_the_ledger
    assert sent == []


def test_another_dealer_makes_another_seat_call_first(service: Server, phone: "Phones") -> None:
    """A text that no auction with this dealer begins with stays, for the ledger to explain."""
    page = opened(service, phone(service.url), "frog")
    expect(page.locator("#more-auction > p")).to_have_text("Ann calls:")
    page.locator("#who-deals > summary").click()
    page.locator('input[name="dealer"][value="Ann"]').check(force=True)
    expect(page.locator("#more-auction > p")).to_have_text("Bob calls:")
    call(page, "Frog")
    expect(page.locator("#auction")).to_have_value("Bob frog")


def test_another_dealer_after_the_first_call_offers_no_calls_of_the_old_seats(
    service: Server, phone: "Phones"
) -> None:
    """The ledger says whose turn it was; undone, the right seat is offered its calls."""
    page = opened(service, phone(service.url), "six-bid", 4)
    call(page, "Solo")
    page.locator("#who-deals > summary").click()
    page.locator('input[name="dealer"][value="Bob"]').check(force=True)
    expect(page.get_by_role("alert")).to_have_text("Call 1: it was Cyd's turn, not Ann's.")
    section = page.locator("#more-auction")
    expect(section.get_by_role("button")).to_have_text(["Undo the last call"])
    call(page, "Undo the last call")
    expect(section.locator("> p")).to_have_text("Cyd calls:")
    service.kill()
    call(page, "Solo")
    page.locator('input[name="dealer"][value="Dee"]').check(force=True)
    expect(section.locator("> p")).to_be_hidden()
    expect(section.get_by_role("button")).to_have_text(["Undo the last call"])


DOUBLE_TAP = """(button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    for (const detail of [1, 2]) {
        const under = document.elementFromPoint(x + width / 2, y + height / 2).closest("button");
        under.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail }));
    }
}"""
"""Taps twice at one place, at once: a busy machine would send two taps of a driver too far apart."""


def test_a_double_tap_calls_once(service: Server, phone: "Phones") -> None:
    """The button for the next seat appears under the finger."""
    page = opened(service, phone(service.url), "frog")
    button = page.locator("#more-auction").get_by_role("button", name="Pass", exact=True)
    button.evaluate(DOUBLE_TAP)
    expect(page.locator("#auction")).to_have_value("Ann pass")


def test_restored_calls_are_continued_before_the_ledger_answers(
    service: Server, phone: "Phones"
) -> None:
    """The table's file may arrive before the draft does."""
    page = opened(service, phone(service.url), "frog")
    service.kill()
    page.locator("#hand").evaluate(
        """(form) => form.dispatchEvent(new CustomEvent("draft:back", { bubbles: true,
             cancelable: true, detail: { state: { auction: ["Ann pass"], begun: "0" } } }))"""
    )
    expect(page.locator("#more-auction > p")).to_have_text("Bob calls:")
    call(page, "Pass")
    expect(page.locator("#auction")).to_have_value("Ann pass\nBob pass")


def test_a_call_right_after_a_reload_is_not_lost(service: Server, phone: "Phones") -> None:
    """The page asks the ledger about the restored calls; what comes of them is out of date."""
    page = opened(service, phone(service.url), "frog")
    call(page, "Pass")
    draft_kept(page)
    waiting: list[Route] = []
    page.route(
        "**/hands/new", lambda to: waiting.append(to) if to.request.post_data else to.continue_()
    )
    with page.expect_request(lambda request: "do=fill" in (request.post_data or "")):
        page.reload()
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    with page.expect_event("requestfailed"):
        call(page, "Pass")
    expect(page.locator("#auction")).to_have_value("Ann pass\nBob pass")
    expect(page.locator("#more-auction > p")).to_have_text("Cyd calls:")
    assert len(waiting) == 1
    assert phone.complaints == []
