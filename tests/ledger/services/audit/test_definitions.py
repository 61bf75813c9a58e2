"""Triggers, indexes and constraints are compared with those of the migrations, by their definition."""

import pytest
from sqlalchemy import create_engine, text

from ledger.books.transactions import Database
from ledger.services.audit import definitions, differences
from ledger.services.audit.tables import made_by_migrations

AGAIN = "run .venv/bin/python -m tests.definitions after a migration was added"


def test_what_the_migrations_make_is_written_down(any_database: Database) -> None:
    """Books just migrated show no difference in it."""
    with any_database.engine.connect() as connection:
        made = made_by_migrations(connection.dialect.name)
        assert definitions.existing(connection) == made, AGAIN


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["DROP TRIGGER posting_no_update",
          "CREATE TRIGGER posting_no_update BEFORE UPDATE ON posting BEGIN SELECT 1; END"],
         "posting_no_update: this trigger is not what the program makes"),
        (["DROP INDEX ix_posting_club_id_entry_id"], "ix_posting_club_id_entry_id: this index is missing"),
        (["DROP INDEX ix_posting_club_id_entry_id",
          "CREATE INDEX ix_posting_club_id_entry_id ON posting (entry_id) WHERE amount > 0"],
         "ix_posting_club_id_entry_id: this index is not what the program makes"),
        (["CREATE TRIGGER quietly AFTER INSERT ON posting BEGIN SELECT 1; END"],
         "quietly: this trigger was added"),
        (["CREATE TABLE other (id INTEGER)"], "other: this table was added"),
        (["PRAGMA writable_schema = ON",
          "UPDATE sqlite_master SET sql = replace(sql, 'amount <> 0', 'amount <> 1') WHERE name = 'posting'"],
         "posting: this table is not what the program makes"),
    ],
)  # fmt: skip
def test_what_was_changed_under_its_old_name_is_told(
    database: Database, changes: list[str], said: str
) -> None:
    """An emptied trigger lets everything through that it was there to stop."""
    engine = create_engine(database.url)
    with engine.connect() as connection:
        connection.exec_driver_sql("BEGIN")
        for change in changes:
            connection.exec_driver_sql(change)
        findings = [str(each) for each in differences(connection)]
        connection.rollback()
    engine.dispose()
    assert [each for each in findings if said in each], findings


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("CREATE OR REPLACE FUNCTION books_only_grow() RETURNS trigger LANGUAGE plpgsql AS "
         "'BEGIN RETURN NULL; END'", "books_only_grow: this function is not what the program makes"),
        ("ALTER TABLE posting DISABLE TRIGGER posting_no_change",
         "posting_no_change: this trigger is not what the program makes"),
        ("ALTER TABLE posting DROP CONSTRAINT ck_posting_ck_posting_amount_moves",
         "ck_posting_ck_posting_amount_moves: this constraint is missing"),
        ("ALTER TABLE posting ALTER amount DROP NOT NULL",
         "posting.amount: this column is not what the program makes"),
    ],
)  # fmt: skip
def test_so_it_is_on_postgresql(postgres_books: Database, change: str, said: str) -> None:
    """With functions in place of triggers."""
    with postgres_books.engine.connect() as connection:
        connection.execute(text(change))
        findings = [str(each) for each in differences(connection)]
        connection.rollback()
    assert [each for each in findings if said in each], findings
