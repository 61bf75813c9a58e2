"""Chips counted by tapping, one player after the other, and reasons to tap."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import seated

if TYPE_CHECKING:
    from tests.browser.pages import ScorerPhone
    from tests.support.phone import Phones
    from tests.support.server import Server

pytestmark = pytest.mark.browser


def test_players_are_counted_one_at_a_time_by_taps(scorer: "ScorerPhone", phone: "Phones") -> None:
    """A tap on a chip counts it, and another the rest of a player; then the next player is open."""
    page = scorer.page
    page.goto(f"{scorer.session_path()}/count")
    players = page.locator("details[name=counted]")
    opened = page.locator("details[name=counted][open]")
    expect(opened).to_contain_text("Ann")
    for _ in range(3):
        page.get_by_role("button", name="Ann, chips of 30: 1 more").tap()
    expect(players.first).to_contain_text("Counted 90: −60")
    page.get_by_role("button", name="Next player").tap()
    expect(opened).to_have_count(1)
    expect(opened).to_contain_text("Bob")
    page.get_by_role("button", name="Bob: same as the ledger").tap()
    expect(players.nth(1)).to_contain_text("150, as the ledger says")
    expect(opened).to_contain_text("Cyd")
    expect(page.locator("#sum")).to_contain_text("2 of")
    folded = players.nth(4).bounding_box()
    assert folded
    assert folded["height"] < 80
    assert phone.complaints == []


def test_a_ready_made_reason_is_one_tap(scorer: "ScorerPhone", phone: "Phones") -> None:
    """It fills the field, and can still be changed."""
    page = scorer.page
    scorer.score_hand({"contract": {"bid": "pass"}})
    page.goto(f"{scorer.session_path()}/hands/1/void")
    page.get_by_role("group", name="Suggestions").get_by_text("Misdeal").tap()
    expect(page.get_by_label("Reason", exact=True)).to_have_value("Misdeal")
    page.get_by_role("button", name="Void hand 1").tap()
    expect(page.get_by_text("Misdeal").first).to_be_visible()
    assert phone.complaints == []


def test_without_scripts_chips_are_counted_and_reasons_typed(
    service: "Server", phone: "Phones"
) -> None:
    """The ledger's chips are one tap, others are typed; no button is there that does nothing."""
    scorer = seated(service, phone(service.url, javascript=False), javascript=False)
    page = scorer.page
    scorer.score_hand({"contract": {"bid": "pass"}})
    page.goto(f"{scorer.session_path()}/count")
    expect(page.get_by_role("button", name="1 more")).to_have_count(0)
    page.get_by_role("button", name="Ann: same as the ledger").tap()
    page.get_by_role("textbox", name="Bob, chips of 30").fill("4")
    page.get_by_role("button", name="Compare again").tap()
    expect(page.locator("#sum")).to_contain_text("2 of 7 counted in total −30")
    page.get_by_role("button", name="Record only").tap()
    expect(page.get_by_role("status").first).to_contain_text("The count is recorded")
    page.goto(f"{scorer.session_path()}/hands/1/void")
    expect(page.get_by_role("button", name="Misdeal")).to_have_count(0)
    page.get_by_label("Reason", exact=True).fill("Misdeal")
    page.get_by_role("button", name="Void hand 1").tap()
    expect(page.get_by_text("Misdeal").first).to_be_visible()
    assert phone.complaints == []
