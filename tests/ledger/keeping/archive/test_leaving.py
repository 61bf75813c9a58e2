"""A club leaves for another installation, is continued there, and both ledgers verify."""

import pytest
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import Club
from ledger.services.audit import verify
from ledger.services.club import clubs, devices, moving, tokens
from ledger.services.club.live import Moved
from ledger.services.club.passcodes import NOBODY
from tests.ledger import table
from tests.ledger.keeping.archive.archives import exported, imported
from tests.ledger.table import ask


def test_a_club_that_has_left_is_continued_at_its_new_home_only(
    database: Database, club: Access, any_database: Database
) -> None:
    """Its archive has the entry of its leaving; the first entry there takes it back."""
    home = any_database
    secret, _ = tokens.issue(database, club, label="script", role=Role.SCORER)
    evening = table.start(database, club)
    table.record(database, club, evening, table.HEARTS_74)
    moving.leave(database, club, "https://cards.example.org")
    result = imported(home, exported(database, club.club_id), name="Away")
    assert list(verify(home)) == []
    assert result.key is not None
    access, _, link_id = clubs.of_link(home, result.key)
    devices.admit(home, access, NOBODY, link_id=link_id)
    table.record(home, access, evening, table.HEARTS_46)
    with home.read(access) as session:
        assert session.exec(select(Club.moved_to)).one() is None
    for ledger in (database, home):
        assert list(verify(ledger)) == []
    with pytest.raises(Moved):
        ask(database, None, tokens.open_with, secret)
