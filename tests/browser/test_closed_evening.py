"""A hand of a closed, cashed-in evening corrected on a phone, with the money shown before it is saved."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SEVEN
from tests.browser.pages import ScorerPhone
from tests.browser.treasurer import Treasurer
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

CYD_ALONE = {"contract": {"bidder": "Cyd", "bid": "go-alone", "trump": "S"}, "points": 85}


@pytest.mark.parametrize("javascript", [True, False], ids=["with a script", "without"])
def test_a_hand_of_a_closed_evening_is_corrected_with_its_money(
    service: Server, phone: "Phones", javascript: bool
) -> None:
    """(85 − 60) × 2 = 50 from each becomes (80 − 60) × 2 = 40, at 100 chips to 1.00."""
    scorer = ScorerPhone(phone(service.url, javascript=javascript), javascript=javascript)
    scorer.start_club("Kitchen table", "four aces", "Mia")
    scorer.start_session(SEVEN, game="Crazy Solo", first_dealer="Gus")
    scorer.score_hand(CYD_ALONE)
    chips, evening = Treasurer(scorer), scorer.session_path()
    chips.agree(100, "1.00")
    assert chips.convert()["Cyd"] == "3.00"
    scorer.page.goto(evening)
    scorer.close_session()
    page = scorer.page
    page.goto(f"{evening}/history")
    page.locator("#hand-1 summary").click()
    page.get_by_role("button", name="Correct hand 1").click()
    scorer.fill_hand({**CYD_ALONE, "points": 80})
    page.get_by_label("Reason for the correction").fill("counted a ten twice")
    scorer.payout()
    row = page.get_by_role("region", name="Money of this evening").get_by_role("row", name="Cyd")
    expect(row).to_contain_text("2.40")
    scorer.save()
    assert min(chips.payments()) == "Ann pays Cyd 0.40"
