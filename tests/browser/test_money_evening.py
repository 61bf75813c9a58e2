"""An evening for money on a phone: stacks, a loan, one late, one early, a miscount, the payments."""

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

# 002's own example: (74 − 60) × 3 = 42, to the nearest 5 = 40; called at seven, Ann from three, Bob from two.
HEARTS_74 = {
    "contract": {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob"},
    "points": 74,
}
# Alone in spades with 85: (85 − 60) × 2 = 50 from each of the others.
CYD_ALONE = {"contract": {"bidder": "Cyd", "bid": "go-alone", "trump": "S"}, "points": 85}


@pytest.mark.parametrize("javascript", [True, False], ids=["with a script", "without"])
def test_an_evening_for_money(service: Server, phone: "Phones", javascript: bool) -> None:
    """Every figure worked out by hand; the last payment leaves nobody owing anything."""
    scorer = ScorerPhone(phone(service.url, javascript=javascript), javascript=javascript)
    scorer.start_club("Kitchen table", "four aces", "Mia")
    scorer.start_session(SEVEN, game="Crazy Solo", first_dealer="Gus")
    chips = Treasurer(scorer)
    assert set(chips.in_hand().values()) == {150}

    assert scorer.score_hand(HEARTS_74)["Ann"] == 120
    chips.lend("Cyd", 50)
    assert chips.in_hand()["Cyd"] == 160
    chips.join("Łukasz", after="Gus")
    scorer.score_hand(CYD_ALONE)
    assert chips.in_hand()["Łukasz"] == 100

    # Miscounted: 80 and not 85, (80 − 60) × 2 = 40 from each of seven.
    chips.agree(100, "1.00")
    scorer.correct(2, {**CYD_ALONE, "points": 80}, "counted a ten twice")
    assert scorer.balances()["Cyd"] == -40 + 280
    won = {"Ann": 80, "Bob": 40, "Dee": -80, "Eve": -80, "Fay": -80, "Gus": -80, "Łukasz": -40}
    assert scorer.balances() == {**won, "Cyd": 240}

    # Gus goes home with 70 of the bank's 150: he owes 0.80.
    assert "Gus owes 0.80 EUR" in " ".join(chips.leave("Gus").split())

    # Ann has 230; a 5 is missing, and the table lets the ledger follow.
    chips.count({"Ann": {5: 1, 20: 2, 30: 6}}, says="in total −5", post=True)
    assert chips.undo() == "Undo the adjustment"
    assert chips.in_hand()["Ann"] == 230

    gets = chips.convert()
    assert {name: text.replace("\u2212", "-") for name, text in gets.items()} == {
        "Ann": "0.80",
        "Bob": "0.40",
        "Cyd": "2.40",
        "Dee": "-0.80",
        "Eve": "-0.80",
        "Fay": "-0.80",
        "Łukasz": "-0.40",
    }
    payments = chips.payments()
    assert len(payments) == 5
    assert "Łukasz pays Bob 0.40" in payments
    chips.pay("Łukasz pays Bob 0.40", "0.15")
    assert "Łukasz pays Bob 0.25" in chips.payments()
    while payments := chips.payments():
        chips.pay(payments[0])
    expect(scorer.page.get_by_text("Nobody owes anything.")).to_be_visible()
    statement = chips.statement("Łukasz")
    assert "Łukasz is even" in statement
    assert "Payment to Bob" in statement
    assert "Chips cashed in" in statement
    assert phone.complaints == []


SMALL = """() => [...document.querySelectorAll(
        "#main label.tap, #main button, #main summary, #main a, #main input:not([type=hidden])")]
    .filter(e => e.checkVisibility() && !e.matches(".first") && !e.closest("p, .tap > input, .switch"))
    .filter(e => !e.matches(".tap > input"))
    .map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
    .filter(([, box]) => box.width < 48 || box.height < 47.9)
    .map(([what]) => what)"""
"""What is to be tapped and is smaller than a fingertip."""


def test_every_target_on_these_pages_is_large_enough(scorer: ScorerPhone, phone: "Phones") -> None:
    """48 pixels at least, folded out, on pages no wider than the phone."""
    page = scorer.page
    scorer.score_hand(HEARTS_74)
    chips = Treasurer(scorer)
    chips.agree(100, "1.00")
    chips.leave("Gus")
    results: dict[str, object] = {}

    def measure(address: str) -> None:
        page.goto(address)
        page.evaluate(
            "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
        )
        wide = page.evaluate("document.documentElement.scrollWidth")
        results[address] = (page.evaluate(SMALL), wide)

    for place in ("", "/table", "/table/seats", "/table/leave?player=Ann", "/bank", "/count"):
        measure(f"{chips.session}{place}")
    for place in ("/settle", "/rules", "/undo", "/history", "/hands/1/void"):
        measure(f"{chips.session}{place}")
    chips.convert()
    for place in (
        "",
        "/money",
        "/settings",
        "/head-to-head",
        "/players",
        "/players/1",
        "/evenings",
    ):
        measure(f"{chips.club}{place}")
    measure(f"{chips.club}/players/1/statement")
    assert {address: what for address, what in results.items() if what != ([], 390)} == {}
    assert phone.complaints == []


def test_a_count_is_tapped_up_and_down(scorer: ScorerPhone, phone: "Phones") -> None:
    """Plus and minus next to each chip; the difference follows every tap."""
    page = scorer.page
    page.goto(f"{scorer.session_path()}/count")
    for _ in range(6):
        page.get_by_role("button", name="Ann, chips of 20: 1 more").tap()
    page.get_by_role("button", name="Ann, chips of 20: 1 less").tap()
    expect(page.get_by_text("Counted 100: −50")).to_be_visible()
    expect(page.get_by_role("textbox", name="Ann, chips of 20", exact=True)).to_have_value("5")
    assert phone.complaints == []
