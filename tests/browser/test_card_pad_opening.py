"""The card pad opens by itself on a phone whose last hand was entered card by card."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from engine.scoring.score import score
from tests.browser.card_entry import CardPad, cards_of, contract_of, played_hand
from tests.browser.conftest import seated
from tests.browser.test_card_pad import MOST_TAPS
from tests.browser.waiting import draft_kept
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser


def forget(page: Page) -> None:
    """Delete the drafts of a device once its page is left."""
    draft_kept(page)
    page.evaluate("indexedDB.deleteDatabase('solo-ledger')")


def test_after_a_hand_entered_card_by_card_the_pad_opens_by_itself_until_it_is_not_used(
    service: Server, phone: "Phones"
) -> None:
    """So a call solo of 33 cards, whose called card is one more answer, takes 37 taps as well."""
    page = phone(service.url)
    hand = played_hand("six-bid", 3, 33, "solo")
    call = played_hand("six-bid", 3, 33, "call-solo")
    scorer = seated(service, page, hand.players, "six-bid")
    address = f"{scorer.session_path()}/hands/new"
    pad = CardPad(page)
    pad.begin_hand(address, hand)
    pad.play(cards_of(hand))
    assert pad.shown() == dict(score(hand).deltas)
    forget(page)
    pad.begin_hand(address, call)
    pad.play(cards_of(call))
    assert pad.shown() == dict(score(call).deltas)
    assert pad.taps <= MOST_TAPS[33]
    forget(page)
    pad.load(address)
    pad.choose(contract_of(call))
    expect(pad.dialog).to_be_visible()
    page.keyboard.press("Escape")
    page.wait_for_function("() => localStorage.getItem('by-cards') === 'no'")
    forget(page)
    pad.load(address)
    pad.choose(contract_of(call))
    expect(page.locator("#open-card-entry")).to_be_visible()
    expect(pad.dialog).to_be_hidden()
