"""On PostgreSQL, statements without a result are sent together, and fail or succeed as they would alone."""

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import bindparam, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, select, update

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import IdempotentResponse, Player
from ledger.database.narrowing import OutOfScope
from ledger.database.scope import Built, Change, ScopedSession, insert_all
from ledger.runtime.clock import now
from ledger.services.chips import hand_and_loan
from ledger.services.club import clubs
from ledger.services.common.writing import Write
from ledger.words.problems import NotFound
from tests.ledger import table
from tests.ledger.conftest import empty

pytestmark = pytest.mark.postgres

MOST_UNDER_LOCK = 5
_NAMES = Built(str, select(Player.name).order_by(col(Player.id)))
_RENAME = Change(
    update(Player).where(col(Player.id) == bindparam("player")).values(name=bindparam("new_name"))
)


@pytest.fixture
def club(postgres_books: Database) -> Access:
    """The only club, without players."""
    empty(postgres_books)
    return clubs.create(postgres_books, name="Kitchen Table", passcode="four aces")[0]


def raw(session: ScopedSession) -> Any:
    """Return a session's connection of psycopg."""
    return session.driver.connection.connection.driver_connection


def player(name: str) -> dict[str, object]:
    """Return the row of a player."""
    more = {"created_at": now(), "archived": False, "by_other_entries": 0}
    return {"name": name, "name_key": name, **more}


def test_a_save_makes_few_round_trips_while_it_locks_its_club(
    postgres_books: Database, club: Access, tmp_path: Path
) -> None:
    """One takes the lock, before the trace; a client waits after each Sync, and for the COMMIT."""
    session_id = table.start(postgres_books, club)
    for _ in range(2):
        table.record(postgres_books, club, session_id, table.HEARTS_74)
    with (tmp_path / "messages").open("w+") as messages:
        with postgres_books.write(club) as session:
            connection = raw(session)
            connection.pgconn.trace(messages.fileno())
            write = Write(postgres_books, club, table.new_key(), begun=session)
            hand_and_loan.record(write, session_id, table.HEARTS_74)
        connection.pgconn.untrace()
        messages.seek(0)
        waits = re.findall(r"\tF\t\d+\t(Sync|Query)", messages.read())
    assert "Query" in waits
    assert 1 + len(waits) <= MOST_UNDER_LOCK


def test_statements_that_wait_are_seen_by_all_that_follow(
    postgres_books: Database, club: Access
) -> None:
    """By plain rows, by objects, and by the next transaction."""
    with postgres_books.write(club) as session:
        (number,) = insert_all(session, Player, [player("ann")])
        assert session.ask(_NAMES) == ["ann"]
        session.change(_RENAME, {"player": number, "new_name": "bob"})
        assert session.exec(select(Player.name)).all() == ["bob"]
        insert_all(session, Player, [player("cyd"), player("dee")])
    with postgres_books.read(club) as session:
        assert session.ask(_NAMES) == ["bob", "cyd", "dee"]


def test_a_row_that_no_statement_found_is_noticed_before_the_commit(
    postgres_books: Database, club: Access
) -> None:
    """Nothing of the transaction is saved."""

    def write() -> None:
        with postgres_books.write(club) as session:
            insert_all(session, Player, [player("ann")])
            session.change(_RENAME, {"player": 99, "new_name": "bob"})

    with pytest.raises(OutOfScope):
        write()
    with postgres_books.read(club) as session:
        assert session.ask(_NAMES) == []


def test_the_error_of_a_statement_that_waited_names_that_statement(
    postgres_books: Database, club: Access
) -> None:
    """Not the one after it, nor the one that it was sent with."""
    with postgres_books.write(club) as session:
        insert_all(session, Player, [player("ann")])

    def write() -> None:
        with postgres_books.write(club) as session:
            session.change(_RENAME, {"player": 1, "new_name": "bob"})
            insert_all(session, Player, [player("ann")])
            session.change(_RENAME, {"player": 1, "new_name": "cyd"})
            session.ask(_NAMES)

    with pytest.raises(DBAPIError) as raised:
        write()
    assert "uq_player" in str(raised.value.orig)
    assert str(raised.value.statement).startswith("INSERT INTO player")
    with postgres_books.read(club) as session:
        assert session.ask(_NAMES) == ["ann"]


def test_rows_read_ahead_are_dropped_if_something_is_written(
    postgres_books: Database, club: Access
) -> None:
    """By the session itself, as plain rows or as objects; others can't, as the club is locked."""
    with postgres_books.write(club) as session:
        session.ask_ahead(_NAMES)
        insert_all(session, Player, [player("ann")])
        assert session.ask(_NAMES) == ["ann"]
        session.ask_ahead(_NAMES)
        session.change(_RENAME, {"player": 1, "new_name": "bob"})
        assert session.ask(_NAMES) == ["bob"]
        session.ask_ahead(_NAMES)
        session.exec(select(Player)).one().name = "cyd"
        assert session.ask(_NAMES) == ["cyd"]
        session.ask_ahead(_NAMES)
        assert session.ask(_NAMES) == ["cyd"]


def test_a_session_whose_number_no_row_can_have_is_not_found(
    postgres_books: Database, club: Access
) -> None:
    """Also when it is read ahead."""
    with pytest.raises(NotFound):
        hand_and_loan.record(table.write(postgres_books, club), 10**30, table.HEARTS_74)


def test_a_time_without_a_zone_is_not_written(postgres_books: Database, club: Access) -> None:
    """The server would take it for one of its own zone."""
    naive = datetime(2026, 1, 31, 20)  # noqa: DTZ001
    row = {"key": "a key of ours", "fingerprint": "", "answer": {}, "created_at": naive}
    with pytest.raises(TypeError, match="datetime"), postgres_books.write(club) as session:
        insert_all(session, IdempotentResponse, [row])


def test_statements_of_reads_stay_prepared(postgres_books: Database, club: Access) -> None:
    """The server plans them once per connection."""
    for _ in range(7):
        with postgres_books.read(club) as session:
            session.ask(_NAMES)
    with postgres_books.read(club) as session:
        plans = raw(session).execute("SELECT statement FROM pg_prepared_statements").fetchall()
    assert any("SELECT player.name" in statement for (statement,) in plans)


def test_a_write_is_read_committed_on_a_server_with_another_default(
    postgres_books: Database, club: Access
) -> None:
    """A stricter level would fail after a wait for the club's row."""
    strict = {"options": "-c default_transaction_isolation=serializable"}
    url = make_url(postgres_books.url).update_query_dict(strict)
    database = Database(url.render_as_string(hide_password=False))
    for _ in range(2):
        with database.read(club):
            pass
        with database.write(club) as session:
            level = session.get_bind().execute(text("SHOW transaction_isolation")).scalar_one()
            assert level == "read committed"
    database.close()
