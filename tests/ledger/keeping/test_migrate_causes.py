"""Books from before versions said why they were made: it is found from their reasons."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs
from ledger.services.hands import correct, versions
from ledger.services.session.hand_versions import HandVersion
from ledger.services.undo import last
from tests.ledger import table
from tests.ledger.table import ask

BEFORE = "0023"
"""The last revision without causes."""

FROG: Mapping[str, Any] = {"contract": {"bidder": "Ann", "bid": "frog"}, "points": 40}


def causes(db: Database, access: Access, played: int, number: int) -> list[object]:
    """Return the causes of a hand's versions, without the numbers of entries."""
    found: tuple[HandVersion, ...] = ask(db, access, versions.of_hand, played, number)
    return [
        version.cause if version.cause is None or "hand" in version.cause else sorted(version.cause)
        for version in found
    ]


def test_an_undo_of_older_books_is_told_by_its_reason(database_url: str) -> None:
    """And the hand that was followed; what a later release wrote keeps what it said, up and down."""
    database = Database(database_url)
    migrate.upgrade(database)
    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
    played = table.start(
        database, access, table.SEVEN[:3], game="progressive", options={"pots": {"stake": 5}}
    )
    for _ in range(2):
        table.record(database, access, played, FROG)
    correct.void(table.write(database, access), played, 1, reason="undone")
    last.undo(table.write(database, access), played)
    last.redo(table.write(database, access), played)
    told = [[None, [], ["undo"], ["redo"]], [None, {"hand": 1}, {"hand": 1}, {"hand": 1}]]
    assert [causes(database, access, played, number) for number in (1, 2)] == told
    migrate.downgrade(database, BEFORE)
    migrate.upgrade(database)
    assert [causes(database, access, played, number) for number in (1, 2)] == told
    assert list(verify(database)) == []
    migrate.downgrade(database, BEFORE)
    with database.engine.begin() as connection:
        as_of_old(connection)
    migrate.upgrade(database)
    told = [[None, ["undo"], ["undo"], None], [None, {"hand": 1}, {"hand": 1}, {"hand": 1}]]
    assert [causes(database, access, played, number) for number in (1, 2)] == told
    assert not any("cause" in str(difference) for difference in verify(database))
    database.close()


def as_of_old(connection: Any) -> None:
    """Write the entries as an earlier release did, which said nothing of causes."""
    is_sqlite = connection.dialect.name == "sqlite"
    guard = "SELECT sql FROM sqlite_master WHERE name = 'journal_entry_no_update'"
    if is_sqlite:
        made = connection.execute(text(guard)).scalar_one()
        connection.execute(text("DROP TRIGGER journal_entry_no_update"))
    else:
        turned = "ALTER TABLE journal_entry {} TRIGGER journal_entry_no_change"
        connection.execute(text(turned.format("DISABLE")))
    connection.execute(text("UPDATE journal_entry SET details = '{}' WHERE hand_id IS NOT NULL"))
    connection.execute(text(made if is_sqlite else turned.format("ENABLE")))
