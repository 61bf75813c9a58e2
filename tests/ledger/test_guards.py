"""Written rows stay: each way a database has to change or delete a row is tried on them."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Index, UniqueConstraint, text
from sqlalchemy.exc import DatabaseError, IntegrityError

from ledger.books.transactions import Database
from ledger.database.models import metadata
from ledger.services.club import clubs, tokens
from tests.ledger import table
from tests.ledger.conftest import migrated
from tests.ledger.evenings import CardClub

GUARDED = ("journal_entry", "posting", "hand_version")

KEYS = (
    ("journal_entry", ("club_id", "id")),
    ("journal_entry", ("club_id", "digest")),
    ("journal_entry", ("club_id", "reverses_id")),
    ("posting", ("club_id", "id")),
    ("hand_version", ("club_id", "id")),
    ("hand_version", ("club_id", "hand_id", "version")),
)
"""Every key by which a row of a guarded table could be in the way of another."""

FRESH = {
    "id": "id + 1000",
    "digest": "'forged'",
    "reverses_id": "NULL",
    "version": "version + 1000",
}
"""What a forged row has in the keys other than the one it is to replace a row by."""

REPLACING = ("REPLACE", "INSERT OR REPLACE")

ON_EITHER = (
    "UPDATE {} SET club_id = club_id",
    "UPDATE {} SET id = id + 1000",
    "DELETE FROM {}",
    "DELETE FROM {} WHERE id = 1",
)
ON_SQLITE = (
    "UPDATE OR REPLACE {} SET id = 1 WHERE id = 2",
    "UPDATE OR IGNORE {} SET club_id = club_id + 1",
    "REPLACE INTO {0} SELECT * FROM {0}",
)
ON_POSTGRES = (
    "MERGE INTO {0} kept USING {0} given ON kept.id = given.id WHEN MATCHED THEN DELETE",
    "MERGE INTO {0} kept USING {0} given ON kept.id = given.id "
    "WHEN MATCHED THEN UPDATE SET club_id = given.club_id",
    "WITH gone AS (DELETE FROM {} RETURNING id) SELECT count(*) FROM gone",
)


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def written(request: pytest.FixtureRequest) -> Iterator[Database]:
    """A ledger with a corrected hand: its entry, the reversal of that, and another entry.

    The tests share it, as all their attempts are refused.
    """
    with migrated(request) as empty:
        access, _ = clubs.create(empty, name="Kitchen Table", passcode="123456", author="Sue")
        tokens.issue(empty, access, label="a script", role=access.role)
        evening = CardClub(empty, access).start(table.SEVEN)
        evening.record(table.HEARTS_74)
        evening.correct(1, table.HEARTS_46)
        yield empty


def books(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of the guarded tables."""
    with database.engine.begin() as connection:
        return {
            name: list(
                map(tuple, connection.execute(text(f"SELECT * FROM {name} ORDER BY id")).all())
            )
            for name in GUARDED
        }


def refuses(database: Database, statement: str, message: str = "") -> None:
    """Check that a trigger refuses a statement, with this message, and that all rows stay as they are."""
    before = books(database)
    assert all(before.values())
    with (
        pytest.raises(DatabaseError, match=f"the books only grow{message}"),
        database.engine.begin() as connection,
    ):
        connection.execute(text(statement))
    assert books(database) == before


def forged(name: str, key: tuple[str, ...]) -> tuple[str, str]:
    """Return the columns of a table, and a row that is in its last one's way by this key only.

    Of entries it is the reversal, which has a value in every key.
    """
    columns = metadata.tables[name].c.keys()
    values = [column if column in key else FRESH.get(column, column) for column in columns]
    which = "reverses_id IS NOT NULL" if name == "journal_entry" else "id = 1"
    return ", ".join(columns), f"SELECT {', '.join(values)} FROM {name} WHERE {which}"


@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize("change", ON_EITHER)
def test_no_row_is_changed_or_deleted(written: Database, name: str, change: str) -> None:
    """One or all of them, on either database."""
    refuses(written, change.format(name), f": no {change.split()[0]} on {name}")


@pytest.mark.parametrize(("name", "key"), KEYS)
def test_no_row_is_changed_by_inserting_one_in_its_place(
    written: Database, name: str, key: tuple[str, ...]
) -> None:
    """An upsert by any key is refused as the update it would be, on either database."""
    columns, row = forged(name, key)
    way = f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET club_id = EXCLUDED.club_id"
    refuses(written, f"INSERT INTO {name} ({columns}) {row} {way}")


@pytest.mark.parametrize("written", ["sqlite"], indirect=True)
@pytest.mark.parametrize("verb", REPLACING)
@pytest.mark.parametrize(("name", "key"), KEYS)
def test_sqlite_replaces_no_row(
    written: Database, name: str, key: tuple[str, ...], verb: str
) -> None:
    """By no key: SQLite deletes the row in the way, and calls no trigger that forbids deleting."""
    columns, row = forged(name, key)
    refuses(written, f"{verb} INTO {name} ({columns}) {row}")


@pytest.mark.parametrize("written", ["sqlite"], indirect=True)
@pytest.mark.parametrize("rowid", ["rowid", "oid", "_rowid_"])
def test_sqlite_replaces_no_row_by_another_name_of_its_id(written: Database, rowid: str) -> None:
    """Each row has a number of SQLite's own, which has three names."""
    values = f"{rowid}, club_id, entry_id, account_id, amount, balance"
    row = f"SELECT {rowid}, club_id, entry_id, account_id, amount + 1000, balance FROM posting"
    refuses(written, f"REPLACE INTO posting ({values}) {row}")


@pytest.mark.parametrize("written", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize("change", ON_SQLITE)
def test_sqlite_has_no_other_way(written: Database, name: str, change: str) -> None:
    """Its own words for a conflict change nothing about it."""
    refuses(written, change.format(name))


@pytest.mark.postgres
@pytest.mark.parametrize("written", ["postgres"], indirect=True)
@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize("change", ON_POSTGRES)
def test_postgresql_has_no_other_way(written: Database, name: str, change: str) -> None:
    """Nor to merge into a table, or to delete on the side of a query.

    TRUNCATE can be refused by triggers of statements only, which distributed databases lack; `verify`
    reports an emptied table.
    """
    refuses(written, change.format(name))


def test_every_unique_key_of_the_guarded_tables_is_tried() -> None:
    """A key that is added later must be guarded, too."""
    results = set()
    for name in GUARDED:
        kept = metadata.tables[name]
        results.add((name, tuple(kept.primary_key.columns.keys())))
        for each in (*kept.constraints, *kept.indexes):
            if isinstance(each, UniqueConstraint) or (isinstance(each, Index) and each.unique):
                results.add((name, tuple(each.columns.keys())))
    assert results == set(KEYS)


@pytest.mark.parametrize(
    ("of", "column"),
    [
        ("account", "kind"),
        ("account", "unit"),
        ("api_token", "role"),
        ("hand", "state"),
        ("hand_version", "action"),
        ("journal_entry", "kind"),
        ("play_session", "state"),
        ("seat", "state"),
        ("tally", "side"),
    ],
)
def test_a_word_that_is_none_of_its_list_gets_into_no_row(
    written: Database, of: str, column: str
) -> None:
    """The database refuses it, from any writer."""
    columns = [column.name for column in metadata.tables[of].c]
    odd = ["'strange'" if name == column else FRESH.get(name, name) for name in columns]
    insert = f"INSERT INTO {of} ({', '.join(columns)}) SELECT {', '.join(odd)} FROM {of}"
    with (
        pytest.raises(IntegrityError, match=f"ck_{of}_"),
        written.engine.begin() as connection,
    ):
        connection.execute(text(insert))
