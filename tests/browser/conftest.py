"""Phones round one table: the real service, and the phones that score and follow on it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from ledger.db import Database
from ledger.services.club import clubs
from ledger.services.common.writing import Write
from ledger.services.table import start
from ledger.services.table.start import SessionDraft
from tests.browser.pages import ScorerPhone
from tests.conftest import StartServer
from tests.support.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.phone import Phones

SEVEN = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus")
STACK = 150
"""What the page proposes for the game."""


@pytest.fixture
def service(server: StartServer) -> Server:
    """The service, over books of its own."""
    return server()


def seated(
    service: Server,
    page: "Page",
    players: Sequence[str] = SEVEN,
    game: str = "crazy-solo",
    *,
    javascript: bool = True,
) -> ScorerPhone:
    """Let a phone into a new club, onto the scoreboard of its first session: the last player deals.

    The club and its session are written beside the pages, which other tests start both by: that takes
    a moment instead of seconds.
    """
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    access, club = clubs.found(books, name="Kitchen table", passcode="four aces", author="Mia")
    stack = STACK if game == "crazy-solo" else 0
    draft = SessionDraft(players, game, first_dealer=players[-1], starting_stack=stack)
    start.start(Write(books, access, "the session of a test"), draft)
    books.close()
    scoring = ScorerPhone(page, javascript=javascript)
    scoring.enter_club("Kitchen table", "four aces", "Mia")
    page.goto(f"/clubs/{club.id}/sessions/1")
    return scoring


@pytest.fixture
def scorer(service: Server, phone: "Phones") -> ScorerPhone:
    """A phone on the scoreboard of a new Crazy Solo session of seven; Gus deals first, Ann leads."""
    return seated(service, phone(service.url))
