"""The result page at the end of an evening: its podium, its celebration, and its width on small phones."""

from typing import TYPE_CHECKING

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.reader_language import COOKIE
from ledger.services.table import lifecycle
from tests.browser.conftest import seated
from tests.browser.test_board_view import LONG
from tests.browser.test_narrow import IN_LARGE_TYPE, TOO_WIDE
from tests.ledger import cash, table
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

pytestmark = pytest.mark.browser

MIA = Access(1, Role.SCORER, "Mia")
PLACES = """() => [...document.querySelectorAll(".podium li")]
    .map((each) => [each.querySelector("bdi").textContent, each.getBoundingClientRect()])
    .sort(([, one], [, other]) => one.left - other.left)
    .map(([name, { height }]) => [name, height])"""
"""The names on the podium from left to right, with the heights of their steps."""


def finish(service: Server, *bidders: str) -> None:
    """Let each bidder win 50 from each other player, cash in, and close the session."""
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    for bidder in bidders:
        contract = {"bidder": bidder, "bid": "go-alone", "trump": "S"}
        table.record(books, MIA, 1, {"contract": contract, "points": 85})
    cash.convert(books, MIA, 1, cash.TEN_FOR_ONE)
    lifecycle.close(table.write(books, MIA), 1)
    books.close()


def test_the_winner_stands_highest_and_the_second_to_the_left(
    service: Server, phone: "Phones"
) -> None:
    """The third is to the right."""
    scorer = seated(service, phone(service.url), table.FOUR)
    finish(service, "Cyd", "Cyd", "Cyd", "Ann", "Ann", "Dee")
    scorer.page.goto(f"{scorer.session_path()}/result")
    names, heights = zip(*scorer.page.evaluate(PLACES), strict=True)
    assert names == ("Ann", "Cyd", "Dee")
    assert heights[1] > heights[0] > heights[2]


@pytest.mark.parametrize("moves", [True, False])
def test_confetti_falls_briefly_unless_less_movement_is_wanted(
    service: Server, phone: "Phones", moves: bool
) -> None:
    """It is over within five seconds, and never covers a button."""
    scorer = seated(service, phone(service.url, moves=moves), table.FOUR)
    finish(service, "Cyd")
    page = scorer.page
    page.goto(f"{scorer.session_path()}/result")
    ends = page.evaluate(
        """() => document.getAnimations().filter((each) => each.animationName)
            .map((each) => each.effect.getComputedTiming().endTime)"""
    )
    assert bool(ends) is moves
    assert max(ends, default=0) < 5000
    page.get_by_role("button", name="Scoreboard").click()
    page.wait_for_url(f"**{scorer.session_path()}")


def test_twelve_long_names_are_no_wider_than_the_smallest_phone(
    service: Server, phone: "Phones"
) -> None:
    """In every language, also in large type."""
    scorer = seated(service, phone(service.url, size=(320, 568)), LONG)
    finish(service, *LONG[:4], *LONG[:2])
    page = scorer.page
    for language in ("en", "de", "ja"):
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": service.url}])
        page.goto(f"{scorer.session_path()}/result")
        assert page.locator(".podium li").count() == 4
        assert page.evaluate(TOO_WIDE) == 0, language
        page.evaluate(IN_LARGE_TYPE)
        assert page.evaluate(TOO_WIDE) == 0, language
