"""Built statements on their way to the driver: values converted, lists of any length in one."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import BindParameter
from sqlalchemy.exc import DBAPIError
from sqlmodel import bindparam, col, select, update

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.bulk_parameters import json_table, number_list
from ledger.database.models import JournalEntry, Player
from ledger.database.prepared import BrokenTransaction, DriverConnection
from ledger.database.scope import Built
from ledger.services.club import clubs
from tests.ledger import table
from tests.ledger.conftest import PASSCODE

_AMONG = Built(
    int,
    select(JournalEntry.id).where(
        col(JournalEntry.id).in_(number_list("ids")),
        col(JournalEntry.entered_at) > bindparam("since"),
    ),
)
_NAMED = Built(
    str,
    select(Player.name).where(col(Player.name) == json_table("names").c.key).order_by(Player.name),
)
_RENAMED = Built(
    lambda *of: of,
    update(Player)
    .where(col(Player.name) == json_table("names").c.key)
    .values(name=col(Player.name) + "!")
    .returning(col(Player.name), col(Player.created_at)),
)


def test_beside_a_list_a_value_is_converted_as_without_one(
    any_database: Database,
) -> None:
    """An aware time goes to the driver as the column keeps it; a list may hold none, or very many."""
    club, _ = clubs.create(any_database, name="Kitchen Table", passcode=PASSCODE)
    table.start(any_database, club, starting_stack=10)
    with any_database.read(club) as session:
        (first, *_) = session.exec(select(JournalEntry)).all()
        before = datetime.now(UTC) - timedelta(hours=1)
        assert session.ask(_AMONG, ids=[first.id, -1], since=before) == [first.id]
        assert session.ask(_AMONG, ids=[first.id], since=datetime.now(UTC)) == []
        assert session.ask(_AMONG, ids=[], since=before) == []
        # 70,000 parameters no database takes
        assert session.ask(_AMONG, ids=[*range(first.id, 70_000)], since=before)[0] == first.id


def test_what_an_update_answers_is_converted_as_what_is_asked(any_database: Database) -> None:
    """Names in any letters, quotes and all, meet theirs; the returned values are the new ones."""
    names = ("Ann", "Łukasz", 'Q"o', "\\山田")
    club, _ = clubs.create(any_database, name="Kitchen Table", passcode=PASSCODE)
    table.start(any_database, club, names)
    with any_database.write(club) as session:
        held = session.exec(select(Player).where(Player.name == "Ann")).one()
        made = {*session.exec(select(Player.created_at))}
        assert {*session.ask(_NAMED, names=[*names, "Xan"])} == {*names}
        changed = session.ask(_RENAMED, names=names)
        assert {name for name, _ in changed} == {f"{name}!" for name in names}
        assert {at for _, at in changed} == made
        assert held.name == "Ann!"


def test_a_list_of_parameters_is_not_sent(database: Database, club: Access) -> None:
    """Each length of one would be another statement: that is our mistake, and nothing goes."""
    ids: BindParameter[Any] = bindparam("ids", expanding=True)
    with database.read(club) as session, pytest.raises(ValueError, match="another statement"):
        session.ask(Built(int, select(Player.id).where(col(Player.id).in_(ids))), ids=[1])


def test_what_goes_on_past_a_statement_that_failed_is_never_taken_for_saved(
    any_database: Database,
) -> None:
    """PostgreSQL would answer the commit as if it were one; the disk of SQLite's file may have undone it."""
    club, _ = clubs.create(any_database, name="Kitchen Table", passcode=PASSCODE)
    table.start(any_database, club)
    fails = "ROLLBACK" if any_database.is_sqlite else "SELECT 1 / 0"

    def go_on() -> None:
        with any_database.write(club) as session:
            session.exec(select(Player)).all()[0].name = "Somebody else"
            with suppress(DBAPIError):
                DriverConnection(session.connection()).send(fails)

    with pytest.raises(BrokenTransaction):
        go_on()
    with any_database.read(club) as session:
        assert "Somebody else" not in session.exec(select(Player.name)).all()


def test_a_failure_that_was_gone_back_from_hinders_nobody(any_database: Database) -> None:
    """Inside a savepoint a statement may fail."""
    club, _ = clubs.create(any_database, name="Kitchen Table", passcode=PASSCODE)
    with any_database.write(club) as session:
        session.driver.send("SAVEPOINT tried")
        with suppress(DBAPIError):
            session.driver.send("SELECT none FROM nowhere")
        session.driver.send("ROLLBACK TO SAVEPOINT tried")
        session.add(Player(name="Zed", name_key="zed", created_at=datetime.now(UTC)))
    with any_database.read(club) as session:
        assert session.exec(select(Player.name)).all() == ["Zed"]
