"""How pages stand on a phone: what belongs in one line or one column does, what comes first is in sight."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.pages import ScorerPhone
from tests.browser.treasurer import Treasurer
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

ALONE = {"contract": {"bidder": "Ann", "bid": "go-alone-in-hearts"}, "points": 74}


@pytest.fixture
def treasurer(service: Server, phone: "Phones") -> Treasurer:
    """Ann, Bob, Cyd and Dee at Crazy Solo, 150 chips each."""
    scorer = ScorerPhone(phone(service.url))
    scorer.start_club("Kitchen table", "four aces", "Mia")
    scorer.start_session(["Ann", "Bob", "Cyd", "Dee"], game="Crazy Solo", first_dealer="Dee")
    return Treasurer(scorer)


def test_the_bank_asks_first_and_only_what_applies(treasurer: Treasurer) -> None:
    """Who and how many are on the first screen; a reason where chips are put right."""
    page = treasurer.page
    page.goto(f"{treasurer.session}/bank")
    chips = page.get_by_label("Chips", exact=True).bounding_box()
    dock = page.locator(".dock").bounding_box()
    assert chips is not None
    assert dock is not None
    assert chips["y"] + chips["height"] <= dock["y"]
    reason = page.get_by_label("Reason", exact=True)
    expect(reason).to_be_hidden()
    page.get_by_role("radio", name="Adjusts down").check()
    expect(reason).to_be_visible()
    page.get_by_role("radio", name="Takes back").check()
    expect(reason).to_be_hidden()


def test_large_stacks_keep_to_the_smallest_phone(treasurer: Treasurer) -> None:
    """Five digits in every column of the bank, 320 pixels."""
    page = treasurer.page
    for name in ("Ann", "Bob"):
        treasurer.lend(name, 45_000)
    treasurer.scorer.score_hand(ALONE)
    page.set_viewport_size({"width": 320, "height": 568})
    for place in ("", "/bank", "/count", "/table", "/settle", "/history"):
        page.goto(treasurer.session + place)
        assert page.evaluate("document.documentElement.scrollWidth") == 320, place


def test_the_number_of_a_hand_stays_in_one_line(treasurer: Treasurer) -> None:
    """Also from hand 100 on."""
    treasurer.scorer.score_hand(ALONE)
    page = treasurer.page
    page.goto(f"{treasurer.session}/history")
    height = page.evaluate(
        """() => {
            const number = document.querySelector(".hand-number");
            const before = number.getBoundingClientRect().height;
            number.textContent = "202";
            return number.getBoundingClientRect().height / before;
        }"""
    )
    assert height == 1


def test_amounts_stand_in_one_column_and_money_is_called_money(treasurer: Treasurer) -> None:
    """Payments end at one edge; scoreboard and bank say that the chips became money."""
    treasurer.scorer.score_hand(ALONE)
    treasurer.scorer.score_hand({**ALONE, "contract": {**ALONE["contract"], "bidder": "Bob"}})  # type: ignore[dict-item]
    treasurer.agree(100, "10.00")
    treasurer.convert()
    page = treasurer.page
    page.goto(f"{treasurer.club}/money")
    edges = page.evaluate(
        """() => [...document.querySelectorAll(".rows summary .amount")]
            .map((each) => Math.round(each.getBoundingClientRect().right))"""
    )
    assert len(edges) > 1
    assert len(set(edges)) == 1
    for place in ("", "/bank"):
        page.goto(treasurer.session + place)
        expect(page.locator("#in-money")).to_contain_text("were turned into money")
    page.goto(treasurer.session)
    expect(page.get_by_role("columnheader", name="Won")).to_be_visible()
    expect(page.get_by_role("columnheader", name="Chips")).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_box_of_a_break_has_room(service: Server, phone: "Phones", dark: bool) -> None:
    """The sentence does not touch its button, and the box ends as it begins."""
    scorer = ScorerPhone(phone(service.url, dark=dark))
    scorer.start_club("Kitchen table", "four aces", "Mia")
    scorer.start_session(["Ann", "Bob", "Cyd"], game="Crazy Solo")
    page = scorer.page
    page.goto(f"{scorer.session_path()}/table")
    page.locator("summary", has_text="Pause").tap()
    page.get_by_role("button", name="Pause the session").tap()
    expect(page.get_by_role("status").filter(has_text="Paused")).to_be_visible()
    over, between, under = page.evaluate(
        """() => {
            const box = document.querySelector("form.notice").getBoundingClientRect();
            const said = document.querySelector("form.notice p").getBoundingClientRect();
            const button = document.querySelector("form.notice button").getBoundingClientRect();
            return [said.top - box.top, button.top - said.bottom, box.bottom - button.bottom];
        }"""
    )
    assert between >= 8
    assert abs(over - under) < 2
