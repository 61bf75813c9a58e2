"""Kinds, states, actions, sides and roles are words of a list, which the database holds rows to as well."""

from typing import Any

import pytest
from sqlalchemy import CheckConstraint, inspect, text

from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.models import metadata
from ledger.keeping import migrate
from ledger.services.audit import verify
from tests.ledger import table
from tests.ledger.keeping.test_migrate import fill, schema


@pytest.fixture
def unmigrated(database_url: str) -> Database:
    """An empty database, on SQLite and on PostgreSQL."""
    return Database(database_url)


def checks(database: Database) -> set[str]:
    """Return the conditions that the database itself holds rows to, by their names.

    The first migration put the table's name twice before that of its one condition.
    """
    with database.engine.begin() as connection:
        look = inspect(connection)
        names = [name for name in look.get_table_names() if name != "alembic_version"]
        found = (str(each["name"]) for name in names for each in look.get_check_constraints(name))
        return {name.replace("ck_posting_ck_", "ck_") for name in found}


def test_the_database_holds_each_condition_of_the_models(own_database: Database) -> None:
    """`alembic check` does not look at them."""
    assert checks(own_database) == {
        str(each.name)
        for model in metadata.tables.values()
        for each in model.constraints
        if isinstance(each, CheckConstraint)
    }


def test_holding_words_to_their_lists_leaves_all_else_as_it_was(unmigrated: Database) -> None:
    """Columns, keys, indexes and the rows each is for, guards: up to it, down from it, up again."""
    migrate.upgrade(unmigrated, "0012")
    before = schema(unmigrated)
    for step, grown in (("0013", True), ("0012", False), ("0013", True)):
        (migrate.upgrade if grown else migrate.downgrade)(unmigrated, step)
        now = schema(unmigrated)
        assert {name: _without_checks(now[name]) for name in now} == {
            name: _without_checks(before[name]) for name in before
        }
        assert ("ck_journal_entry_kind_known" in checks(unmigrated)) == grown
    unmigrated.close()


def _without_checks(of_table: Any) -> Any:
    return [*of_table[:4], *of_table[5:]] if isinstance(of_table, tuple) else of_table


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE seat SET state = 'gone' WHERE id = 3", "row 3 of seat says state “gone”"),
        ("UPDATE account SET unit = 'EUR' WHERE id = 1", "of account says kind “seat”, unit “EUR”"),
    ],
)
def test_books_with_a_word_there_is_none_of_are_refused_in_a_sentence(
    own_database: Database, change: str, said: str
) -> None:
    """Nothing has changed then; once it is put right they are upgraded."""
    fill(own_database)
    migrate.downgrade(own_database, "0012")
    with own_database.engine.begin() as connection:
        connection.execute(text(change))
    before = schema(own_database), table.row_counts(own_database)
    with pytest.raises(revisions.NotMigrated, match=said):
        migrate.upgrade(own_database)
    assert (schema(own_database), table.row_counts(own_database)) == before
    with own_database.engine.begin() as connection:
        connection.execute(text("UPDATE seat SET state = 'playing'"))
        connection.execute(text("UPDATE account SET unit = 'chips'"))
    migrate.upgrade(own_database)
    assert list(verify(own_database)) == []
