"""The text fields of a hand in the form: cards, a pasted line and the auction, as the script handles them."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from engine.notation import compact
from engine.record import HandRecord
from tests.browser.conftest import SEVEN, seated
from tests.browser.pages import ScorerPhone
from tests.browser.test_outage import back_again
from tests.browser.waiting import draft_kept
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

PLAYED = ["AS TS KS", "QS JS 9S", "8S 7S 6S", "AC TC KC", "QC JC 9C", "8C 7C 6C", "AD TD KD"]
PLAYED += ["QD JD 9D", "8D 7D 6D", "AH TH KH", "QH JH 9H"]
"""Ann leads and takes every trick; the widow has the three lowest hearts."""


@pytest.fixture
def scorer(service: Server, phone: "Phones") -> ScorerPhone:
    """A phone at a new table of three players of Six-Bid; Ann leads."""
    return seated(service, phone(service.url), SEVEN[:3], "six-bid")


@pytest.fixture
def page(scorer: ScorerPhone) -> Page:
    """The form of the first hand."""
    scorer.page.goto(f"{scorer.session_path()}/hands/new")
    return scorer.page


def choose(page: Page, name: str, value: str) -> None:
    """Choose an answer of the form."""
    page.locator(f'input[name="{name}"][value="{value}"]').check(force=True)


def test_typed_cards_close_the_count_and_are_there_again_after_a_reload(page: Page) -> None:
    """The missing cards are counted without the server; a claim needs the points if the widow is unknown."""
    for name, value in {"bidder": "Ann", "bid": "solo", "trump": "S"}.items():
        choose(page, name, value)
    expect(page.locator("#points")).to_be_enabled()
    page.locator("#more-cards > summary").click()
    page.fill("#cards", " / ".join(PLAYED[:4]))
    expect(page.locator("#points")).to_be_disabled()
    expect(page.locator("#sum")).to_have_text("Still needed: 21 cards")
    draft_kept(page)
    page.reload()
    expect(page.locator("#cards")).to_have_value(" / ".join(PLAYED[:4]))
    expect(page.locator("#cards")).to_be_visible()
    choose(page, "claimed_by", "<opponents>")
    expect(page.locator("#points")).to_be_enabled()
    expect(page.locator("#sum")).to_contain_text("card points")
    page.fill("#cards", " / ".join(PLAYED))
    choose(page, "claimed_by", "")
    expect(page.locator("#save")).to_be_enabled()
    expect(page.locator("#points")).to_be_disabled()
    page.locator("#save").click()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()


def test_a_pasted_line_fills_the_form_and_outlives_a_reload(page: Page) -> None:
    """The cards replace the line; the hand is saved from the restored draft."""
    contract = {"bidder": "Bob", "bid": "heart-solo"}
    hand = {"game": "six-bid", "players": SEVEN[:3], "dealer": SEVEN[2], "contract": contract}
    line = compact.write(HandRecord.from_mapping({**hand, "tricks": PLAYED, "x-club": 7}))
    page.locator("#more-cards > summary").click()
    page.fill("#cards", line)
    expect(page.locator("#cards")).to_have_value(" / ".join(PLAYED))
    expect(page.locator("#told")).to_contain_text("Bob")
    draft_kept(page)
    page.reload()
    expect(page.locator("#cards")).to_have_value(" / ".join(PLAYED))
    expect(page.locator("[name=line]")).to_have_value(line)
    page.locator("#save").click()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()


def test_the_auction_is_entered_by_buttons_and_continues_after_a_reload(page: Page) -> None:
    """Its last call answers bidder and bid; undone, they are open again."""
    buttons = page.locator("#more-auction .calls button")
    page.locator("#more-auction > summary").click()
    buttons.get_by_text("Heart solo", exact=True).click()
    expect(page.locator("#auction")).to_have_value("Ann heart-solo")
    expect(buttons.first).to_have_attribute("value", "Bob pass")
    draft_kept(page)
    page.reload()
    expect(buttons.first).to_have_attribute("value", "Bob pass")
    buttons.first.click()
    expect(buttons.first).to_have_attribute("value", "Cyd pass")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("Heart solo")
    expect(buttons).to_have_count(0)
    page.get_by_role("button", name="Undo the last call").click()
    expect(page.locator("#told")).not_to_contain_text("Heart solo")
    page.fill("#auction", "Ann solo, Bob pass, Cyd pass")
    page.locator("h1").click()
    expect(page.locator("#told")).to_contain_text("Solo")


def test_a_line_pasted_while_the_ledger_is_down_is_a_whole_hand(
    page: Page, service: Server
) -> None:
    """The page says when its payout comes; the ledger fills the form in once it is back."""
    contract = {"bidder": "Bob", "bid": "heart-solo"}
    hand = {"game": "six-bid", "players": SEVEN[:3], "dealer": SEVEN[2], "contract": contract}
    page.locator("#hand[data-looks-up]").wait_for(state="attached")
    service.kill()
    page.locator("#more-cards > summary").click()
    page.fill("#cards", compact.write(HandRecord.from_mapping({**hand, "tricks": PLAYED})))
    expect(page.locator("#sum")).to_have_text(
        "The ledger works the result out once the hand is sent."
    )
    expect(page.get_by_role("button", name="Save hand 1")).to_be_enabled()
    revived = back_again(service)
    try:
        expect(page.locator("#told")).to_contain_text("Bob")
        page.get_by_role("button", name="Save hand 1").click()
        saved = page.get_by_role("status").filter(has_text="Hand 1 saved")
        expect(saved).to_be_visible()
    finally:
        revived.stop()
