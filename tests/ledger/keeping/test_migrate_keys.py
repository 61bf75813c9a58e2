"""Migration 0028: ids stay as they were, and from then on each club counts its own."""

import pytest
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.access import Access, Role
from ledger.database.models import ClubOwned
from ledger.database.revisions import NotMigrated
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs, links, tokens
from ledger.services.session.load import load
from tests.ledger import table
from tests.ledger.evenings import skip_ids
from tests.ledger.keeping.test_migrate_data import down_and_up
from tests.ledger.table import HEARTS_46, HEARTS_74, ask

OWNED = sorted(str(model.__tablename__) for model in ClubOwned.__subclasses__())
BEFORE = "0027"


@pytest.fixture
def database(own_database: Database) -> Database:
    """A migrated database for each test alone, on SQLite, then on PostgreSQL."""
    return own_database


def founded(database: Database, name: str, *, last_id: int = 0) -> Access:
    """Found a club with an evening of two hands, and with ids after this one."""
    founding = clubs.creating(database, name=name, passcode="four aces", author="Sue")
    with founding as (session, access, _):
        skip_ids(session, last_id)
    session_id = table.start(database, access)
    for hand in (HEARTS_74, HEARTS_46):
        table.record(database, access, session_id, hand)
    return access


def rows(database: Database) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of the clubs' tables."""
    with database.engine.connect() as connection:
        return {
            name: sorted(map(tuple, connection.execute(text(f"SELECT * FROM {name}"))), key=repr)
            for name in OWNED
        }


def test_no_row_changes_and_each_club_goes_on_with_its_own_next_ids(database: Database) -> None:
    """Nor does a link or token stop working; both clubs' chains stay whole."""
    kitchen, back = founded(database, "Kitchen"), founded(database, "Back", last_id=500)
    secret, _ = tokens.issue(database, kitchen, label="script", role=Role.OWNER)
    key, _ = links.make(database, back, table.SECRET, role=Role.VIEWER, lasts="week")
    down_and_up(database, "0030")  # forgets the players' own colours, as any such downgrade does
    before = rows(database)
    down_and_up(database, BEFORE)
    assert rows(database) == before
    with database.read() as session:
        assert tokens.open_with(session, secret).club_id == kitchen.club_id
    assert clubs.of_link(database, key)[0].club_id == back.club_id
    assert clubs.enter(database, name="back", passcode="four aces")[0].club_id == back.club_id
    for access, last in ((kitchen, 1), (back, 501)):
        assert ask(database, access, load, last).hands_dealt == 2
        assert table.start(database, access) == last + 1
    assert list(verify(database)) == []


def test_clubs_that_gave_the_same_ids_cannot_go_back(database: Database) -> None:
    """An older version would take one club's rows for the other's; nothing is changed."""
    founded(database, "Kitchen")
    founded(database, "Back")
    before = rows(database)
    with pytest.raises(NotMigrated, match="restore the backup"):
        migrate.downgrade(database, BEFORE)
    assert revisions.at(database) == revisions.NEWEST
    assert rows(database) == before
    assert list(verify(database)) == []
