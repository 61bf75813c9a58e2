"""Phones round one table: the real service, and the phones that score and follow on it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.flask_app import Application
from ledger.services.club import clubs, devices
from ledger.services.club.passcodes import ClientDevice, origin_of
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
    by_passcode: bool = False,
    role: Role = Role.SCORER,
) -> ScorerPhone:
    """Let a phone into a new club, onto the scoreboard of its first session: the last player deals."""
    club_id, cookie = started(service, players, game, role)
    scoring = ScorerPhone(page, javascript=javascript)
    if by_passcode:
        scoring.enter_club("Kitchen table", "four aces", "Mia")
    else:
        let_in(service, page, cookie)
    page.goto(f"/clubs/{club_id}/sessions/1")
    return scoring


def started(
    service: Server,
    players: Sequence[str] = SEVEN,
    game: str = "crazy-solo",
    role: Role = Role.SCORER,
) -> tuple[int, str]:
    """Start a club with a session; return the club's number and the cookie of a device in it.

    They are written without the pages, which other tests use for all of these: that takes a moment instead of
    seconds.
    """
    books = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    access, club = clubs.create(books, name="Kitchen table", passcode="four aces", author="Mia")
    stack = STACK if game == "crazy-solo" else 0
    draft = SessionDraft(players, game, first_dealer=players[-1], starting_stack=stack)
    start.start(Write(books, access, "the session of a test"), draft)
    member = Access(club.id, role, "Mia")
    key = devices.admit(books, member, ClientDevice(origin_of("127.0.0.1"), "iPhone", {}))
    books.close()
    return club.id, cookie_of(service, club.id, key)


def cookie_of(service: Server, club_id: int, key: str) -> str:
    """Sign the cookie with a device's key of a club as the service does after the right passcode."""
    app = Application("a service with the same secret")
    app.secret_key = (service.folder / "secret-key").read_text().strip()
    signer = app.session_interface.get_signing_serializer(app)
    assert signer is not None
    return str(signer.dumps({"_permanent": True, "clubs": [{"club": club_id, "key": key}]}))


def let_in(service: Server, page: "Page", cookie: str) -> None:
    """Put the cookie of a club into a phone."""
    page.context.add_cookies(
        [{"name": "solo-ledger", "value": cookie, "url": service.url, "httpOnly": True}]
    )


@pytest.fixture
def scorer(service: Server, phone: "Phones") -> ScorerPhone:
    """A phone on the scoreboard of a new Crazy Solo session of seven; Gus deals first, Ann leads."""
    return seated(service, phone(service.url))
