"""Clients of the API over an empty database: without a token, and with each role in a club."""

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.club import tokens
from tests.ledger.api.caller import Caller


@pytest.fixture
def anyone(app: Flask) -> Caller:
    """A client without a token."""
    return Caller(app)


@pytest.fixture
def sue(app: Flask, database: Database, club: Access) -> Caller:
    """A client with an owner's token; its changes are recorded under "Sue's phone"."""
    secret, _ = tokens.issue(database, club, label="Sue's phone", role=Role.OWNER)
    return Caller(app, secret)


@pytest.fixture
def tom(app: Flask, database: Database, club: Access) -> Caller:
    """A client with a scorer's token."""
    secret, _ = tokens.issue(database, club, label="Tom's phone", role=Role.SCORER)
    return Caller(app, secret)


@pytest.fixture
def viewer(app: Flask, database: Database, club: Access) -> Caller:
    """A client with a viewer's token."""
    secret, _ = tokens.issue(database, club, label="Scoreboard", role=Role.VIEWER)
    return Caller(app, secret)
