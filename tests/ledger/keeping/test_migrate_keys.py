"""Books in which keys stood in the open: only digests are kept, and whoever had one goes on."""

import pytest
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs, devices, links, tokens
from ledger.services.club.passcodes import ClientDevice, origin_of
from tests.ledger import table
from tests.ledger.table import ask

BEFORE = "0015"
"""The last revision whose clubs kept the key of their viewer link."""

UNENTERED = "0017"
"""The last revision in which devices and links were in no entry."""


@pytest.fixture
def unmigrated(database_url: str) -> Database:
    """An empty database, on SQLite and on PostgreSQL."""
    return Database(database_url)


def test_a_viewer_link_goes_on_working_and_is_kept_as_a_digest(unmigrated: Database) -> None:
    """Without an end; it is revoked like any. It can't be shown again."""
    migrate.upgrade(unmigrated)
    access, _ = clubs.create(unmigrated, name="Kitchen Table", passcode="123456")
    for label, role in (("tablet", Role.SCORER), ("owner", Role.OWNER)):
        tokens.issue(unmigrated, access, label=label, role=role)
    migrate.downgrade(unmigrated, BEFORE)
    with unmigrated.engine.begin() as connection:
        connection.execute(text("UPDATE club SET viewer_key = 'an old key'"))
    migrate.upgrade(unmigrated)
    found, _, link_id = clubs.of_link(unmigrated, "an old key")
    assert (found.role, found.club_id) == (Role.VIEWER, access.club_id)
    (kept,) = ask(unmigrated, access, links.list_all, access)
    assert (kept.id, kept.expires_at, kept.nonce) == (link_id, None, None)
    assert ask(unmigrated, access, links.for_viewers, table.SECRET) is None
    with unmigrated.engine.begin() as connection:
        rows = connection.execute(text("SELECT * FROM link")).all()
    assert "an old key" not in str(rows)
    listed = ask(unmigrated, access, tokens.list_all, access)
    assert [(each.label, each.role) for each in listed] == [
        ("owner", Role.SCORER),
        ("tablet", Role.SCORER),
    ]
    assert list(verify(unmigrated)) == []
    unmigrated.close()


def test_links_and_devices_from_before_are_entered_as_they_stand(unmigrated: Database) -> None:
    """Those that may write, so that verify sees who changes them; going down they are left out again."""
    migrate.upgrade(unmigrated)
    access, _ = clubs.create(unmigrated, name="Kitchen Table", passcode="123456")
    _, link = links.make(unmigrated, access, table.SECRET, role=Role.SCORER, lasts="evening")
    seen = ClientDevice(origin_of("192.0.2.7"), "iPhone", {})
    for role in (Role.SCORER, Role.VIEWER):
        devices.admit(unmigrated, Access(access.club_id, role, "Mia"), seen, link_id=link.id)
    migrate.downgrade(unmigrated, UNENTERED)
    with unmigrated.engine.begin() as connection:
        connection.execute(text("UPDATE device SET author = 'Tom'"))  # nobody looks there yet
    migrate.upgrade(unmigrated)
    assert list(verify(unmigrated)) == []
    with unmigrated.engine.begin() as connection:
        connection.execute(text("UPDATE device SET role = 'owner'"))
        connection.execute(text("UPDATE link SET expires_at = NULL"))
    told = "; ".join(map(str, verify(unmigrated)))
    assert "device 1: its role is owner, not scorer" in told
    assert "device 2: no entry says that it is there" in told
    assert "link 1: its expires_at is None" in told
    unmigrated.close()
