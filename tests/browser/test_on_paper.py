"""Every page as it is printed: without controls, and with everything that is folded on the screen."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import showing
from tests.browser.pages import ScorerPhone
from tests.browser.screenshots import places
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

ON_PAPER = """() => {
    const visible = (each) => each.checkVisibility() && each.getClientRects().length > 0;
    const found = (selector, is = visible) => [...document.querySelectorAll(selector)]
        .filter((each) => !each.closest(".unseen") && is(each))
        .map((each) => each.outerHTML.slice(0, 100));
    const scrolls = (each) => getComputedStyle(each).overflowX !== "visible"
        && each.scrollWidth > each.clientWidth + 1;
    const isTooWide = (each) => each.getBoundingClientRect().right > innerWidth + 1;
    return {
        controls: found("button, [role=button], nav, select, input:not([readonly]), .dock, .top"),
        cut: found("main *", (each) => visible(each) && (isTooWide(each) || scrolls(each))),
        folded: found("main details:not(article *) > :not(summary, form)",
            (each) => each.parentElement.checkVisibility() && !visible(each)
                && getComputedStyle(each).display !== "none"),
    };
}"""
"""Returns the controls on a printed page, what is cut off or scrolls, and what stays folded."""


def test_a_printed_page_has_everything_but_its_controls(service: Server, phone: "Phones") -> None:
    """Nothing can be tapped on paper, unfolded or moved into sight."""
    known = places(service)
    page = phone(service.url)
    ScorerPhone(page).enter_club(showing.CLUB, showing.PASSCODE, showing.AUTHOR)
    page.set_viewport_size({"width": 718, "height": 1046})  # A4 between margins of a centimetre
    page.emulate_media(media="print")
    faults: dict[str, Any] = {}
    for name, place in known.items():
        page.goto(place)
        found = page.evaluate(ON_PAPER)
        faults |= {f"{name}, {fault}": parts for fault, parts in found.items() if parts}
    assert faults == {}


def test_a_printed_page_of_statistics_names_its_period(service: Server, phone: "Phones") -> None:
    """The days and the game, as the choice is not printed."""
    places(service)
    page = phone(service.url)
    ScorerPhone(page).enter_club(showing.CLUB, showing.PASSCODE, showing.AUTHOR)
    page.goto("/clubs/1/statistics?from=2026-01-01&to=2026-12-31&game=crazy-solo")
    period = page.get_by_text("2026: Crazy Solo", exact=True)
    assert not period.is_visible()
    page.emulate_media(media="print")
    assert period.is_visible()
    assert not page.get_by_label("First day").is_visible()
