"""The application over fresh books, and callers with and without a token of the club."""

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.club import tokens
from tests.ledger.api.caller import Caller


@pytest.fixture
def anyone(app: Flask) -> Caller:
    """Somebody without a token."""
    return Caller(app)


@pytest.fixture
def sue(app: Flask, database: Database, club: Access) -> Caller:
    """An owner of the club, whose changes are kept under "Sue's phone"; she sends its passcode along."""
    secret, _ = tokens.issue(database, club, label="Sue's phone", role=Role.OWNER)
    return Caller(app, secret)


@pytest.fixture
def tom(app: Flask, database: Database, club: Access) -> Caller:
    """A scorer of the club."""
    secret, _ = tokens.issue(database, club, label="Tom's phone", role=Role.SCORER)
    return Caller(app, secret)


@pytest.fixture
def viewer(app: Flask, database: Database, club: Access) -> Caller:
    """A viewer of the club."""
    secret, _ = tokens.issue(database, club, label="Scoreboard", role=Role.VIEWER)
    return Caller(app, secret)
