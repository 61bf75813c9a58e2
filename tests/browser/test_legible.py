"""What stands on the pages can be read: every word against the ground it stands on."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.pages import ScorerPhone
from tests.browser.treasurer import Treasurer
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

LEAST_CONTRAST = 3
"""WCAG's least ratio for large text and for the words on a button."""

FAINT_WORDS = """(least) => {
    const parts = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = (e) => {
        for (; e; e = e.parentElement) {
            const colour = parts(getComputedStyle(e).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const faint = [];
    while (words.nextNode()) {
        const e = words.currentNode.parentElement;
        if (!words.currentNode.data.trim() || !e.checkVisibility()) continue;
        if (e.closest(".unseen, .first, :disabled")) continue;
        const [a, b] = [light(parts(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < least) faint.push(words.currentNode.data.trim());
    }
    return faint;
}"""
"""The words whose colour is too near to that of the ground under them."""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_word_is_written_in_the_colour_of_its_ground(
    service: Server, phone: "Phones", dark: bool
) -> None:
    """On every page a scorer comes by, by day and by night; also on what is tapped, as the players are."""
    page = phone(service.url, dark=dark)
    scorer = ScorerPhone(page)

    def faint(address: str = "") -> list[str]:
        if address:
            page.goto(address)
        found: list[str] = page.evaluate(FAINT_WORDS, LEAST_CONTRAST)
        return found

    found = {address: faint(address) for address in ("/", "/start", "/enter")}
    scorer.start_club("Kitchen table", "four aces", "Mia")
    club = page.url.split("?")[0]
    scorer.start_session(["Ann", "Bob", "Cyd"], game="Crazy Solo")
    session = scorer.session_path()
    hand = {"contract": {"bidder": "Ann", "bid": "go-alone-in-hearts"}, "points": 74}
    scorer.score_hand(hand)
    for address in (club, f"{club}/players", f"{club}/keys", f"{club}/share", session):
        found[address] = faint(address)
    for address in (f"{session}/history", f"{session}/rules", f"{session}/hands/1/void"):
        found[address] = faint(address)
    for place in ("table", "table/seats", "table/leave?player=Ann", "bank", "count", "undo"):
        found[place] = faint(f"{session}/{place}")
    Treasurer(scorer).agree(100, "1.00")
    found["settling"] = faint(f"{session}/settle")
    Treasurer(scorer).convert()
    for place in (
        "money",
        "settings",
        "safekeeping",
        "head-to-head",
        "players/1",
        "players/1/statement",
        "evenings",
        "players/1/evenings",
    ):
        found[place] = faint(f"{club}/{place}")
    page.goto(session)
    scorer.open_hand()
    scorer.fill_hand(hand)
    found["a hand"] = faint()
    page.goto(f"{club}/sessions/new")
    found["a new session"] = faint()
    page.get_by_role("button", name="Ann").tap()
    page.get_by_role("button", name="Take Ann's seat away").wait_for()
    found["a new session, one seated"] = faint()
    assert {address: words for address, words in found.items() if words} == {}
