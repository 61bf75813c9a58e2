"""Books in which keys stood in the open: only digests are kept, and whoever had one goes on."""

import pytest
from sqlalchemy import text

from ledger import migrate
from ledger.access import Role
from ledger.db import Database
from ledger.services.audit import verify
from ledger.services.club import clubs, links, tokens
from tests.ledger import table
from tests.ledger.table import ask

BEFORE = "0015"
"""The last revision whose clubs kept the key of their viewer link."""


@pytest.fixture
def unmigrated(database_url: str) -> Database:
    """An empty database, on SQLite and on PostgreSQL."""
    return Database(database_url)


def test_a_viewer_link_goes_on_working_and_is_kept_as_a_digest(unmigrated: Database) -> None:
    """Without an end; it is revoked like any. It can't be shown again."""
    migrate.upgrade(unmigrated)
    access, _ = clubs.found(unmigrated, name="Kitchen Table", passcode="123456")
    for label, role in (("tablet", Role.SCORER), ("owner", Role.OWNER)):
        tokens.issue(unmigrated, access, label=label, role=role)
    migrate.downgrade(unmigrated, BEFORE)
    with unmigrated.engine.begin() as connection:
        connection.execute(text("UPDATE club SET viewer_key = 'an old key'"))
    migrate.upgrade(unmigrated)
    found, _, link_id = clubs.of_link(unmigrated, "an old key")
    assert (found.role, found.club_id) == (Role.VIEWER, access.club_id)
    (kept,) = ask(unmigrated, access, links.every, access)
    assert (kept.id, kept.expires_at, kept.nonce) == (link_id, None, None)
    assert ask(unmigrated, access, links.for_viewers, table.SECRET) is None
    with unmigrated.engine.begin() as connection:
        rows = connection.execute(text("SELECT * FROM link")).all()
    assert "an old key" not in str(rows)
    listed = ask(unmigrated, access, tokens.every, access)
    assert [(each.label, each.role) for each in listed] == [
        ("owner", Role.SCORER),
        ("tablet", Role.SCORER),
    ]
    assert list(verify(unmigrated)) == []
    unmigrated.close()
