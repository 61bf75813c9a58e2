"""Migration 0032: seasons."""

from datetime import date
from typing import Any

from ledger.books.transactions import Database
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs, seasons
from ledger.services.table import season_end
from tests.ledger import table


def test_a_downgrade_deletes_seasons_and_registers_that(own_database: Database) -> None:
    """On both databases; the books verify before and after, and new seasons can be made again."""
    access, _ = clubs.create(own_database, name="Kitchen", passcode="four aces", author="Sue")
    table.record(own_database, access, table.start(own_database, access), table.HEARTS_74)
    days: dict[str, Any] = {"first_day": date(2026, 1, 1), "last_day": date(2026, 12, 31)}
    for name in ("Open", "Closed"):
        season = seasons.create(table.write(own_database, access), name=name, **days)
    season_end.close(table.write(own_database, access), season["id"])
    assert list(verify(own_database)) == []
    migrate.downgrade(own_database, "0031")
    migrate.upgrade(own_database)
    assert list(verify(own_database)) == []
    with own_database.read(access) as session:
        assert seasons.list_all(session) == []
    again = seasons.create(table.write(own_database, access), name="Closed", **days)
    assert again["id"] > season["id"]
    assert list(verify(own_database)) == []
