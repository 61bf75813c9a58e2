"""A hand is tried on the first page, with its payout in the page, and nothing is saved."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import seated
from tests.browser.test_payouts import ALONE, SOLO, tap_in
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser


def test_a_hand_is_tried_without_a_club_also_offline_and_forgotten(
    service: Server, phone: "Phones"
) -> None:
    """From the first page; the payout comes from the table's file, and the next hand begins afresh."""
    page = phone(service.url)
    page.goto("/")
    page.get_by_role("link", name="Try a hand").click()
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    service.kill()
    tap_in(page, SOLO, "74")
    payout = page.get_by_role("region", name="Payout")
    expect(payout.get_by_role("row", name="Cyd")).to_contain_text("−40")
    expect(page.get_by_role("button", name="Another hand")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    stored = page.evaluate("indexedDB.databases().then((all) => all.length)")
    drafts = """() => new Promise((done) => {
        const opening = indexedDB.open("solo-ledger");
        opening.onsuccess = () => {
            const asked = opening.result.transaction("drafts").objectStore("drafts").getAll();
            asked.onsuccess = () => done(asked.result);
        };
    })"""
    assert stored == 0 or page.evaluate(drafts) == []


def test_at_a_table_a_hand_pays_what_the_ledger_would_pay_now(
    service: Server, phone: "Phones"
) -> None:
    """From the tariff beside the form of a hand."""
    scorer = seated(service, phone(service.url), ("Ann", "Bob", "Cyd", "Dee"), "crazy-solo")
    page = scorer.page
    page.goto(f"{scorer.session_path()}/how-to-play")
    page.get_by_role("link", name="What would a hand pay?").click()
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    tap_in(page, ALONE, "85")
    row = page.get_by_role("region", name="Payout").get_by_role("row", name="Ann")
    expect(row).to_contain_text("+225")
    page.get_by_role("button", name="Another hand").click()
    expect(page.get_by_role("button", name="Another hand")).to_be_hidden()
    expect(page.locator("#told")).to_have_text("")
    assert scorer.balances()["Ann"] == 0
