"""Undo where the thumb is: on a phone of 390 × 844, right after a hand was saved; lead and token, too."""

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import SEVEN, seated
from tests.browser.pages import ScorerPhone
from tests.browser.test_money_evening import CYD_ALONE, HEARTS_74
from tests.browser.treasurer import Treasurer
from tests.support.chromium import PHONE_SIZE
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

TWELVE = (*SEVEN, "Hal", "Ida", "Jon", "Kim", "Lea")

UNDER_THE_THUMB = """([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return top && top.closest("a, button").innerText.trim();
}"""
"""What a thumb that comes down at a point touches."""


def under_the_thumb(page: Page, what: Locator) -> bool:
    """Whether a target lies whole in the lowest third of the screen, large enough, nothing over it."""
    page.wait_for_function("() => scrollY === 0")
    box = what.bounding_box()
    assert box is not None
    width, height = PHONE_SIZE
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] >= height * 2 / 3
    assert box["y"] + box["height"] <= height
    assert min(box["width"], box["height"]) >= 48
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    return bool(page.evaluate(UNDER_THE_THUMB, middle) == what.inner_text().strip())


@pytest.mark.parametrize("players", [SEVEN, TWELVE], ids=["seven", "twelve"])
def test_undo_lies_under_the_thumb_right_after_a_hand_is_saved(
    service: Server, phone: "Phones", players: tuple[str, ...]
) -> None:
    """And so does the second tap, below all the balances that it will move; no scrolling for either."""
    page = phone(service.url)
    scorer = seated(service, page, players)
    scorer.score_hand(CYD_ALONE)
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
    first = page.get_by_role("button", name="Undo…")
    assert under_the_thumb(page, first)
    first.tap()
    second = page.get_by_role("button", name="Undo hand 1")
    expect(second).to_be_enabled()
    assert under_the_thumb(page, second)
    rows = page.get_by_role("table", name="Balances that move").locator("tbody tr")
    expect(rows).to_have_count(len(players))
    second.tap()
    expect(page.get_by_role("status").filter(has_text="Undone")).to_be_visible()
    assert len(set(scorer.balances_here().values())) == 1
    assert phone.complaints == []


@pytest.mark.parametrize("javascript", [True, False], ids=["with a script", "without"])
def test_two_hands_are_undone_and_redone_tap_by_tap(
    service: Server, phone: "Phones", javascript: bool
) -> None:
    """The notice names the undone hand and offers to redo it; the same two balances on the way back."""
    page = phone(service.url, javascript=javascript)
    scorer = seated(service, page, javascript=javascript)
    told = page.get_by_role("status").filter(has_text=re.compile("Undone|Redone"))
    balances = [scorer.balances_here()]
    for hand in (CYD_ALONE, HEARTS_74):
        scorer.score_hand(hand)
        balances.append(scorer.balances_here())
    for number in (2, 1):
        page.get_by_role("button", name="Undo…").tap()
        page.get_by_role("button", name=f"Undo hand {number}", exact=True).tap()
        expect(told).to_have_text(f"Undone: hand {number}.")
        assert scorer.balances_here() == balances[number - 1]
    for number in (1, 2):
        redo = page.get_by_role("button", name=f"Redo hand {number}", exact=True)
        box = redo.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        redo.tap()
        expect(told).to_have_text(f"Redone: hand {number}.")
        assert scorer.balances_here() == balances[number]
    expect(page.get_by_role("button", name=re.compile("^Redo"))).to_have_count(0)
    page.goto(f"{scorer.session_path()}/history")
    page.locator("#hand-1 summary").tap()
    expect(page.locator("#hand-1 .versions")).to_contain_text("Undone by")
    assert phone.complaints == []


def test_undo_lies_under_the_thumb_in_a_break_and_at_the_table(
    scorer: ScorerPhone, phone: "Phones"
) -> None:
    """The notice names the last action wherever it was done."""
    page, address = scorer.page, scorer.session_path()
    scorer.score_hand(HEARTS_74)
    page.goto(f"{address}/table")
    page.locator("summary", has_text="Bob").tap()
    page.get_by_role("button", name="Sits out").first.tap()
    expect(page.get_by_role("status").filter(has_text="sits out until")).to_be_visible()
    undo = page.get_by_role("button", name="Undo…")
    assert under_the_thumb(page, undo)
    undo.tap()
    expect(page.get_by_text("Bob sat out. After the undo they play again.")).to_be_visible()
    page.get_by_role("button", name="Undo sitting out").tap()
    expect(page.get_by_role("status").filter(has_text="Undone")).to_be_visible()
    assert scorer.balances_here()["Ann"] == 120
    page.goto(f"{address}/table")
    page.get_by_text("Pause", exact=True).tap()
    page.get_by_role("button", name="Pause the session").tap()
    expect(page.get_by_role("status").filter(has_text="Paused")).to_be_visible()
    page.goto(address)
    assert under_the_thumb(page, page.get_by_role("button", name="Undo…"))
    assert under_the_thumb(page, page.get_by_role("button", name="Resume"))
    assert Treasurer(scorer).undo() == "Undo the break"
    assert phone.complaints == []


@pytest.mark.parametrize("javascript", [True, False], ids=["with a script", "without"])
def test_who_leads_is_tapped_and_the_dealer_follows(
    service: Server, phone: "Phones", javascript: bool
) -> None:
    """Cyd leads in place of Ann: Bob deals, and after the hand Cyd does."""
    page = phone(service.url, javascript=javascript)
    scorer = seated(service, page, javascript=javascript)
    scorer.open_hand()
    turn = page.locator("#who-deals > summary")
    expect(turn).to_contain_text("Gus deals, Ann leads")
    turn.tap()
    group = page.get_by_role("group", name=re.compile("^Lead"))
    group.get_by_role("radio", name="Cyd", exact=True).tap()
    if not javascript:
        page.get_by_role("button", name="Show the payout").tap()
    expect(turn).to_contain_text("Bob deals, Cyd leads")
    if not javascript:
        turn.tap()
    expect(
        page.get_by_role("group", name="Dealer").get_by_role("radio", name="Bob")
    ).to_be_checked()
    expect(group.get_by_role("radio", name="Cyd", exact=True)).to_be_checked()
    page.get_by_role("group", name="Caller").get_by_role("radio", name="All passed").click()
    if not javascript:
        page.get_by_role("button", name="Show the payout").tap()
    page.get_by_role("button", name="Save hand 1").tap()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
    assert scorer.dealer() == "Bob"  # all passed: the same dealer deals again (002)
    assert phone.complaints == []


def test_reloading_the_page_of_a_new_token_makes_no_second_one(
    scorer: ScorerPhone, phone: "Phones"
) -> None:
    """And it shows the token no more, nor does going back to it."""
    page = scorer.page
    page.goto(f"{scorer.session_path().rsplit('/sessions', 1)[0]}/keys")
    page.get_by_label("once more").fill("four aces")
    page.get_by_role("button", name="Make this device an owner").tap()
    page.locator("#new-token summary").tap()
    page.get_by_label("What it is for").fill("tablet")
    page.locator("#new-token").get_by_label("once more").fill("four aces")
    page.get_by_role("button", name="Make a token").tap()
    token = page.get_by_label("Token", exact=True)
    expect(token).to_have_value(re.compile("^solo_"))
    page.reload()
    expect(token).to_have_count(0)
    expect(page.get_by_role("link", name="tablet")).to_have_count(1)
    page.goto("/")
    page.go_back()
    expect(page.get_by_role("link", name="tablet")).to_have_count(1)
    expect(token).to_have_count(0)
    assert phone.complaints == []
