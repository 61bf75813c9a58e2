"""A hand of each game that is more than points, on a phone: tapped in, seen, saved."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import seated
from tests.browser.pages import ScorerPhone, opener_of
from tests.browser.test_legible import faint_by_day_and_night
from tests.browser.waiting import answered
from tests.support.chromium import PHONE_SIZE
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

FOUR = ("Ann", "Bob", "Cyd", "Dee")

SMALL = """() => [...document.querySelectorAll(".tap, .dock button, input.number, summary, .switch")]
    .filter((e) => e.checkVisibility() && !e.classList.contains("first"))
    .map((e) => [e.innerText || e.id, e.getBoundingClientRect()])
    .filter(([_, box]) => box.height < 48 || box.width < 48).map(([words, _]) => words)"""


class Hand(NamedTuple):
    """A game, the choices tapped in the order asked, the number typed, and the payments."""

    game: str
    players: Sequence[str]
    taps: Sequence[tuple[str, str]]
    points: str
    pays: Mapping[str, str]


HANDS = {
    "frog": Hand(
        "Frog",
        FOUR[:3],
        [("bidder", "Ann"), ("bid", "chico"), ("trump", "S")],
        "50",
        {"Ann": "−40", "Bob": "+20", "Cyd": "+20"},
    ),
    "straight-solo": Hand(
        "Straight Solo",
        FOUR[:3],
        [("bidder", "Ann"), ("bid", "heart-solo")],
        "45",
        {"Ann": "−90", "Bob": "+45", "Cyd": "+45"},
    ),
    "progressive": Hand(
        "Progressive Solo",
        FOUR,
        [
            ("bidder", "Ann"),
            ("bid", "spade-solo"),
            ("doubled", "Bob"),
            ("doubled", "Cyd"),
            ("redoubled", "Cyd"),
        ],
        "75",
        {"Ann": "+180", "Bob": "−60", "Cyd": "−120", "Dee": "0"},
    ),
    "german-solo": Hand(
        "German Solo",
        FOUR,
        [
            ("bidder", "Ann"),
            ("bid", "frage"),
            ("trump", "D"),
            ("called", "AH"),
            ("partner", "Bob"),
            ("tricks_won", "5"),
            ("first_tricks_won", "stopped"),
            ("matadors", "declarers"),
        ],
        "",
        {"Ann": "+6", "Bob": "+6", "Cyd": "0", "Dee": "0"},
    ),
}
"""Figures by the rules sheet: 10 × 2; 15 × 3; 15 × 2, doubled, redoubled; 2, prime 2, matadors 2."""


def fill(page: Page, hand: Hand, *, javascript: bool = True) -> None:
    """Tap a hand into the open form; without JavaScript, request each next question."""

    def request() -> None:
        with page.expect_navigation():
            page.locator(".dock button").last.click()

    for name, value in hand.taps:
        tap = page.locator(f'input[name="{name}"][value="{value}"]')
        if not javascript and not tap.is_visible():
            request()
        tap.check()
    if hand.points:
        if not javascript:
            request()
        page.get_by_label("Card points", exact=True).fill(hand.points)
        page.get_by_label("Card points", exact=True).blur()
    if not javascript:
        request()


def open_hand(service: Server, page: Page, slug: str, *, javascript: bool = True) -> None:
    """Open the first hand of a session that was started without the pages."""
    scorer = seated(service, page, HANDS[slug].players, slug, javascript=javascript)
    page.goto(f"{scorer.session_path()}/hands/new")


def shown(page: Page) -> dict[str, str]:
    """Return each player's payment from the payout or score on the page."""
    expect(page.locator("#save")).to_be_enabled()
    answered(page)
    rows = page.locator("#payout tbody tr").all()
    return {
        row.locator("th bdi, th:not(:has(bdi))").inner_text(): row.locator("td").first.inner_text()
        for row in rows
    }


def test_a_hand_of_each_game_is_tapped_in_seen_and_saved(service: Server, phone: "Phones") -> None:
    """By day and by night; every target is a thumb's size, every word legible, the page no wider."""
    page = phone(service.url)
    scorer = ScorerPhone(page)
    scorer.start_club("Kitchen table", "four aces", "Mia")
    for hand in HANDS.values():
        scorer.start_session(hand.players, game=hand.game, first_dealer=hand.players[-1])
        page.goto(f"{scorer.session_path()}/hands/new")
        fill(page, hand)
        assert shown(page) == hand.pays
        assert page.evaluate(SMALL) == [], hand.game
        assert faint_by_day_and_night(page) == [], hand.game
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE_SIZE[0], hand.game
        page.locator("#save").click()
        expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()
        expect(page).to_have_url(
            re.compile(r"/sessions/\d+$")
        )  # the notice is no part of it any more
        page.reload()
        expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_have_count(0)
    assert phone.complaints == []


@pytest.mark.parametrize("game", ["progressive", "german-solo"])
def test_the_same_without_javascript(service: Server, phone: "Phones", game: str) -> None:
    """Questions that depend on a choice appear on request."""
    page = phone(service.url, javascript=False)
    open_hand(service, page, game, javascript=False)
    fill(page, HANDS[game], javascript=False)
    assert shown(page) == HANDS[game].pays
    page.locator("#save").click()
    expect(page.get_by_role("status").filter(has_text="Hand 1 saved")).to_be_visible()


def test_what_follows_from_a_choice_goes_with_it(service: Server, phone: "Phones") -> None:
    """No tout is asked about once all tricks are won; a solo has no partner to name."""
    page = phone(service.url)
    open_hand(service, page, "german-solo")
    fill(page, HANDS["german-solo"])
    first = page.get_by_role("group", name="The first 5 tricks")
    expect(first).to_be_visible()
    announcements = opener_of(page, "Announcements")
    announcements.click()
    tricks = opener_of(page, "Tricks won")
    expect(tricks).to_have_text(
        "5, the first tricks: All won, then stopped: prime, matadors: Declarer's side"
    )
    tricks.click()
    page.locator('input[name="tricks_won"][value="8"]').check()
    expect(first).to_be_hidden()
    expect(page.locator("#payout")).to_contain_text("Ann and Bob score 8 points each")
    opener_of(page, "Bid").tap()
    page.locator('input[name="bid"][value="solo"]').check()
    expect(opener_of(page, "Partner")).to_have_count(0)
    expect(page.locator("#payout")).to_contain_text("Ann scores 12 points")
