"""Clubs without an owner are named to the operator, with the command that gives them one."""

import pytest
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.keeping import ownerless
from ledger.runtime.config import Settings
from ledger.server import listen
from ledger.services.club import clubs, devices, tokens
from ledger.services.club.passcodes import NOBODY
from tests.ledger.table import ask


def test_clubs_without_an_owner_are_named_with_the_remedy(database: Database, club: Access) -> None:
    """An owner's device or token counts until it is revoked or ends; of many clubs only some are named."""
    assert ask(database, None, ownerless.notice) == (
        "1 club has no owner: “Kitchen Table”. This prints a link that makes whoever opens it an owner: "
        "solo-ledger link 'Kitchen Table'"
    )
    tokens.issue(database, club, label="tablet", role=Role.OWNER, days=1)
    assert ask(database, None, ownerless.notice) == ""
    with database.write() as session:
        session.connection().execute(text("UPDATE api_token SET expires_at = '2020-01-01'"))
    assert "1 club has no owner" in ask(database, None, ownerless.notice)
    devices.admit(database, club, NOBODY)
    assert ask(database, None, ownerless.notice) == ""
    for name in range(7):
        clubs.create(database, name=f"Club {name}", passcode="four aces")
    sentence = ask(database, None, ownerless.notice)
    assert sentence.startswith("7 clubs have no owner: “Club 0”, “Club 1”")
    assert "“Club 4” and 2 more." in sentence


def test_the_service_names_clubs_without_an_owner_when_it_starts(
    database: Database, club: Access, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """A warning in the log, until each club has one."""
    assert club
    listen(settings, "127.0.0.1", 0).close()
    assert "1 club has no owner: “Kitchen Table”" in caplog.text
    caplog.clear()
    devices.admit(database, club, NOBODY)
    listen(settings, "127.0.0.1", 0).close()
    assert caplog.text == ""
