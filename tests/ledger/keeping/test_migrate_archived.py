"""Books in which nobody was archived: those of before say nothing of it, and the way down brings all back."""

from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs, players
from tests.ledger import table
from tests.ledger.table import ask

BEFORE = "0016"
"""The last revision whose players all came."""


def test_who_was_archived_is_back_below_and_stays_back_above(database_url: str) -> None:
    """The register says so; a column that older entries don't know is compared all the same."""
    database = Database(database_url)
    migrate.upgrade(database)
    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
    table.start(database, access, table.FOUR)
    players.archive(table.write(database, access), 1)
    assert list(verify(database)) == []
    migrate.downgrade(database, BEFORE)
    migrate.upgrade(database)
    assert [each.archived for each in ask(database, access, players.everyone)] == [False] * 4
    assert list(verify(database)) == []
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE player SET archived = true WHERE id = 2"))
    assert "its archived" in str([each.message for each in verify(database)])
    database.close()
