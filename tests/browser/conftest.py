"""Phones round one table: the real service, and the phones that score and follow on it."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.pages import ScorerPhone
from tests.conftest import StartServer
from tests.support.server import Server

if TYPE_CHECKING:
    from tests.support.phone import Phones

SEVEN = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus")


@pytest.fixture
def service(server: StartServer) -> Server:
    """The service, over books of its own."""
    return server()


@pytest.fixture
def scorer(service: Server, phone: "Phones") -> ScorerPhone:
    """A phone on the scoreboard of a new Crazy Solo session of seven; Gus deals first, Ann leads."""
    scoring = ScorerPhone(phone(service.url))
    scoring.start_club("Kitchen table", "four aces", "Mia")
    scoring.start_session(SEVEN, game="Crazy Solo", first_dealer="Gus")
    return scoring
