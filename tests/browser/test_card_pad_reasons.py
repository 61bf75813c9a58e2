"""The card pad says why it can't fill in a link, and why the form asks for what the cards don't show."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from engine.guide.random_hands import NAMES
from tests.browser.card_entry import CardPad
from tests.browser.conftest import seated
from tests.browser.test_card_pad import FOUR_TRICKS, SOLO
from tests.browser.waiting import draft_kept
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


def test_a_link_replaces_another_hand_only_if_that_is_wanted(
    service: Server, phone: "Phones"
) -> None:
    """Both are offered, and the entered one stays until then; a link to the same hand asks nothing."""
    page = phone(service.url)
    scorer = seated(service, page, NAMES[:3], "six-bid")
    pad = CardPad(page)
    pad.begin(f"{scorer.session_path()}/hands/new", SOLO)
    pad.play(FOUR_TRICKS)
    pad.button("More").click()
    pad.button("Hand over to another phone").click()
    link = pad.dialog.get_by_label("Hand over to another phone").input_value()
    draft_kept(page)
    page.reload()
    trick = pad.part("trick")
    notice = page.get_by_text("The link has another hand than the one that is entered here.")

    def follow() -> None:
        page.evaluate("(hash) => { location.hash = hash; }", link.split("#")[1])

    follow()
    expect(trick).to_have_text("trick 5 of 11")
    expect(notice).to_be_hidden()
    pad.play(["8D"])
    page.keyboard.press("Escape")
    for answer, cards in (("Keep this one", 13), ("Take the link's", 12)):
        follow()
        expect(notice).to_be_visible()
        page.get_by_role("button", name=answer).click()
        expect(notice).to_be_hidden()
        pad.open()
        expect(pad.part("score")).to_contain_text(f"cards out {36 - cards}")
        page.keyboard.press("Escape")
    assert phone.complaints == []
