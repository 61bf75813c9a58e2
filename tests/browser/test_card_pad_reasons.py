"""The card pad says why it can't fill in a link, and why the form asks for what the cards don't show."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from engine.guide.random_hands import NAMES
from tests.browser.card_entry import CardPad
from tests.browser.conftest import seated
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser


def test_a_link_that_was_cut_off_says_so(service: Server, phone: "Phones") -> None:
    """Else its reader would wait for cards that never come."""
    page = phone(service.url)
    scorer = seated(service, page, NAMES[:3], "frog")
    pad = CardPad(page)
    pad.begin(f"{scorer.session_path()}/hands/new", {"bidder": "Ann", "bid": "frog"}.items())
    page.evaluate("() => { location.hash = 'entry=' + btoa('{\"cards\": [\"7S\"').slice(0, -1); }")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("A part of this link is missing, so nothing was filled in.")
    assert phone.complaints == []


def test_a_frog_that_the_bidder_gives_up_depends_on_the_discard(
    service: Server, phone: "Phones"
) -> None:
    """The pad stays open to say why the form then asks for the card points."""
    page = phone(service.url)
    scorer = seated(service, page, NAMES[:3], "frog")
    pad = CardPad(page)
    pad.begin(f"{scorer.session_path()}/hands/new", {"bidder": "Ann", "bid": "frog"}.items())
    pad.button("Give up").click()
    pad.part("sheet").locator(".pair button").first.click()
    reason = "The result depends on the discard: enter the card points in the form."
    expect(pad.part("notice")).to_contain_text(reason)
    expect(pad.button("Enter the widow")).to_be_hidden()
    pad.button("Show the payout").click()
    expect(page.get_by_label("Card points", exact=True)).to_be_visible()
    assert phone.complaints == []
