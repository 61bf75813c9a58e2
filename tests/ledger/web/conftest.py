"""Phones at the table: one that scores, one that reads along, one that was never let in."""

import pytest
from flask import Flask, session
from flask.sessions import SecureCookieSessionInterface

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.club import links
from ledger.web.frame import cookies
from tests.ledger import cash, table
from tests.ledger.web.phone import Phone


@pytest.fixture
def stranger(app: Flask) -> Phone:
    """A device that no club has let in."""
    return Phone(app)


@pytest.fixture
def scorer(app: Flask, database: Database, club: Access) -> Phone:
    """Mia's device, let in as by the passcode, but without the two pages that this takes."""
    phone = Phone(app)
    with app.test_request_context():
        cookies.remember(database, Access(club.club_id, Role.SCORER, "Mia"))
        signer = SecureCookieSessionInterface().get_signing_serializer(app)
        assert signer is not None
        phone.client.set_cookie(app.config["SESSION_COOKIE_NAME"], signer.dumps(dict(session)))
    return phone


@pytest.fixture
def owner(app: Flask, database: Database, club: Access) -> Phone:
    """Sue's device, let in by an owner's link."""
    phone = Phone(app)
    key, _ = links.make(database, club, table.SECRET, role=Role.OWNER, lasts="hour")
    assert phone.send(phone.open(f"/v/{key}").form(key), author="Sue").status == 303
    return phone


@pytest.fixture
def viewer(app: Flask, database: Database, club: Access) -> Phone:
    """A device let in by the viewer link."""
    phone = Phone(app)
    key = table.viewer_key(database, club)
    assert phone.open(f"/v/{key}").status == 303
    return phone


@pytest.fixture
def seven(database: Database, club: Access) -> str:
    """The address of a Crazy Solo session of seven; Ann deals first, so Bob leads."""
    return f"/clubs/{club.club_id}/sessions/{table.start(database, club)}"


@pytest.fixture
def four(database: Database, club: Access) -> str:
    """The address of a Six-Bid session of four; Ann deals and sits out."""
    number = table.start(database, club, table.FOUR, "six-bid")
    return f"/clubs/{club.club_id}/sessions/{number}"


@pytest.fixture
def tonight(database: Database, club: Access) -> int:
    """Ann has won 150 of the others' chips."""
    number = table.start(database, club, table.FOUR, starting_stack=150, title="Tonight")
    table.record(database, club, number, cash.ANN_WINS)
    return number


@pytest.fixture
def address(club: Access, tonight: int) -> str:
    """Where the session's pages are."""
    return f"/clubs/{club.club_id}/sessions/{tonight}"


@pytest.fixture
def cashed_in(scorer: Phone, address: str) -> str:
    """The address of the club's money once the chips are converted, 100 to 1.00."""
    form = scorer.open(f"{address}/settle").form("/rate")
    assert scorer.send(form, rate_chips="100", rate_money="1").status == 303
    answer = scorer.send(scorer.open(f"{address}/settle").form("/settle"))
    return answer.location.split("?")[0]
