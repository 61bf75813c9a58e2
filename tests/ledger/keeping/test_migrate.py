"""Migrations: up and down with the books full, once however many start, no reference broken."""

import re
import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DatabaseError, OperationalError

from ledger.books import journal
from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.access import Access
from ledger.database.models import AccountKind, metadata
from ledger.keeping import migrate
from ledger.keeping.migrate import BrokenReferences
from ledger.runtime.paths import MIGRATIONS
from ledger.services.audit import verify
from ledger.services.chips import count
from ledger.services.club import clubs, tokens
from ledger.services.money import convert, currency, payments
from ledger.services.reads import session as reads_session
from ledger.services.table import lifecycle
from ledger.services.table import seating as evening
from tests.ledger import cash, table
from tests.ledger.table import ask
from tests.support.together import let_go

REVISIONS = [each.revision for each in ScriptDirectory(str(MIGRATIONS)).walk_revisions()][::-1]
"""Every revision there is, first to last."""

BEFORE_TURNS = "0011"
"""The last revision at which nobody wrote down to whom those who left handed their turn."""


def test_the_newest_is_told_by_its_name() -> None:
    """Books that are at it are opened without asking alembic."""
    assert REVISIONS[-1] == revisions.NEWEST


@pytest.mark.parametrize("script", [*ScriptDirectory(str(MIGRATIONS)).walk_revisions()], ids=str)
def test_each_migration_declares_whether_older_servers_may_go_on(script: Script) -> None:
    """Its name agrees with it, as that is all that an older server sees of it."""
    assert script.module.rolling is (re.fullmatch(r"\d{4}r[1-9]", script.revision) is not None)
    if script.module.rolling:
        assert script.revision[:4] == str(script.down_revision)[:4]


def fill(database: Database) -> tuple[Access, int]:
    """Write a short evening with everything an evening can have; return the ids of its club and session."""
    access, _ = clubs.create(database, name="Kitchen Table", passcode="123456", author="Sue")
    tokens.issue(database, access, label="a script", role=access.role)
    played = table.start(database, access, options={"rounding": 0})
    table.record(database, access, played, table.HEARTS_74)
    table.record(database, access, played, table.ALL_PASS)
    table.record(database, access, played, table.ALONE_85)
    table.correct(database, access, played, 1, table.HEARTS_46)
    table.void(database, access, played, 3)
    return access, played


def schema(database: Database) -> Mapping[str, Any]:
    """Return all tables, constraints, indexes and triggers as the database itself lists them."""
    with database.engine.begin() as connection:
        look = inspect(connection)
        tables = {
            name: (
                sorted((c["name"], str(c["type"]), c["nullable"]) for c in look.get_columns(name)),
                look.get_pk_constraint(name),
                sorted(map(str, look.get_foreign_keys(name))),
                sorted(map(str, look.get_unique_constraints(name))),
                sorted(map(str, look.get_check_constraints(name))),
                sorted(map(_index, look.get_indexes(name))),
            )
            for name in look.get_table_names()
        }
        return {**tables, "triggers": triggers(connection)}


def _index(found: Mapping[str, Any]) -> str:
    """Write an index down, with the rows it is for, which SQLAlchemy hands over as an object."""
    options = {key: str(value) for key, value in found.get("dialect_options", {}).items()}
    return str({**found, "dialect_options": options})


def triggers(connection: Connection) -> list[tuple[Any, ...]]:
    """Return the guards: the operation each forbids, and its table."""
    if connection.dialect.name == "sqlite":
        query = "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'"
    else:
        query = (
            "SELECT event_object_table, event_manipulation, action_statement "
            "FROM information_schema.triggers"
        )
    return sorted(map(tuple, connection.execute(text(query))))


def revision(database: Database) -> str | None:
    """Return the revision a database is at."""
    with database.engine.begin() as connection:
        return MigrationContext.configure(connection).get_current_revision()


@pytest.fixture
def unmigrated(database_url: str) -> Database:
    """An empty database, on SQLite and on PostgreSQL."""
    return Database(database_url)


def test_the_migrations_lead_to_the_models(unmigrated: Database) -> None:
    """The models and the result of the migrations do not differ: `alembic check`."""
    migrate.upgrade(unmigrated)
    with unmigrated.engine.begin() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    unmigrated.close()


def test_migrating_twice_changes_nothing(own_database: Database) -> None:
    """Starting the service again finds nothing to do and loses nothing."""
    access, played = fill(own_database)
    before = schema(own_database), table.row_counts(own_database)
    migrate.upgrade(own_database)
    assert (schema(own_database), table.row_counts(own_database)) == before
    assert table.balances(own_database, access, played)["Ann"] == -126


def test_full_books_go_down_and_up_through_every_revision(own_database: Database) -> None:
    """Step by step to the first revision and back: the evening reads the same, the guards stand."""
    fresh = schema(own_database)
    access, played = fill(own_database)
    evening = ask(own_database, access, reads_session.summary, played)
    for step in reversed(REVISIONS[:-1]):
        migrate.downgrade(own_database, step)
        assert revision(own_database) == step
    for step in REVISIONS:
        migrate.upgrade(own_database, step)
        assert revision(own_database) == step
    assert schema(own_database) == fresh
    assert ask(own_database, access, reads_session.summary, played).hands == evening.hands
    table.record(own_database, access, played, table.HEARTS_74)


def test_sessions_closed_long_ago_with_chips_worth_money_are_named_after_the_upgrade(
    own_database: Database,
) -> None:
    """Those alone: not one that played for chips, nor one whose chips are money."""
    access, _ = clubs.create(own_database, name="Kitchen Table", passcode="123456", author="Sue")
    for title, rate in (("Chips", None), ("Left", cash.TEN_FOR_ONE), ("Paid", cash.TEN_FOR_ONE)):
        played = table.start(own_database, access, title=title, rate=rate)
        table.record(own_database, access, played, table.HEARTS_74)
        if title == "Paid":
            cash.convert(own_database, access, played)
        lifecycle.close(table.write(own_database, access), played)
    migrate.downgrade(own_database, "0010")
    migrate.upgrade(own_database)
    named = ask(own_database, access, payments.settle_up).unconverted
    assert [each.title for each in named] == ["Left"]
    assert list(verify(own_database)) == []


def test_an_older_version_forgets_which_hands_wait_for_a_second_pair_of_eyes(
    own_database: Database,
) -> None:
    """And that the club requires it; the register says so, and verifies on the way up again."""
    access, played = fill(own_database)
    currency.change(table.write(own_database, access), confirm_from=1)
    table.record(own_database, access, played, table.HEARTS_74)
    assert ask(own_database, access, reads_session.summary, played).unconfirmed == (4,)
    migrate.downgrade(own_database, "0026")
    migrate.upgrade(own_database)
    assert ask(own_database, access, reads_session.summary, played).unconfirmed == ()
    assert ask(own_database, access, currency.show).confirm_from == 0
    assert list(verify(own_database)) == []


def test_whose_turn_it_is_is_the_same_before_and_after_the_upgrade(own_database: Database) -> None:
    """If no hand stands, and if the next dealer has left: then the player in their place deals."""
    access, _ = clubs.create(own_database, name="Kitchen Table", passcode="123456", author="Sue")
    begun, played, alone = (
        table.start(own_database, access, table.FOUR, title=title, first_dealer=dealer)
        for title, dealer in (("Begun", "Cyd"), ("Played", "Ann"), ("Alone", "Dee"))
    )
    cash.join(own_database, access, begun, "Eve", position=0)
    table.record(own_database, access, played, cash.ANN_WINS)
    cash.leave(own_database, access, played, "Bob")
    for name in table.FOUR:
        cash.leave(own_database, access, alone, name)
    for tonight in (begun, played):
        assert table.turn(own_database, access, tonight) == ("Cyd", "Dee")
    migrate.downgrade(own_database, BEFORE_TURNS)
    with own_database.engine.begin() as connection:
        places = connection.execute(text("SELECT first_dealer FROM play_session ORDER BY id"))
        assert places.scalars().all() == [3, 0, 0]
    migrate.upgrade(own_database)
    for tonight in (begun, played):
        assert table.turn(own_database, access, tonight) == ("Cyd", "Dee")
    assert list(verify(own_database)) == []


def test_full_books_can_be_taken_down_to_nothing_and_begun_anew(own_database: Database) -> None:
    """Down to base leaves no table and no function behind; up again makes the same books, empty."""
    fresh = schema(own_database)
    fill(own_database)
    migrate.downgrade(own_database, "base")
    with own_database.engine.begin() as connection:
        assert inspect(connection).get_table_names() == ["alembic_version"]
        if not own_database.is_sqlite:
            left = "SELECT count(*) FROM pg_proc WHERE proname = 'books_only_grow'"
            assert connection.execute(text(left)).scalar_one() == 0
    migrate.upgrade(own_database)
    assert schema(own_database) == fresh
    assert set(table.row_counts(own_database).values()) == {0}
    fill(own_database)


def test_processes_that_start_together_on_empty_books_migrate_once(database_url: str) -> None:
    """Three let go at the same moment: all come up, on the one schema, none trips over another."""
    ended = let_go(
        "import logging\n"
        "from ledger.keeping import migrate\n"
        "from ledger.books.transactions import Database\n"
        f"database = Database({database_url!r})\n"
        "logging.basicConfig(level=logging.INFO, stream=sys.stdout)",
        "migrate.upgrade(database); database.close()",
        3,
    )
    assert [each.status for each in ended] == [0] * 3, ended
    ran = sum(each.said.count("Running upgrade") for each in ended)
    assert ran == len(REVISIONS), ended
    database = Database(database_url)
    assert revision(database) == REVISIONS[-1]
    database.close()


def test_a_migration_that_breaks_references_is_rolled_back(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite references are off while migrating, so they are checked before it counts."""
    table.start(database, club)
    before = table.row_counts(database)

    def lose_players(config: Any, _revision: str) -> None:
        connection = config.attributes["connection"]
        connection.execute(text("DELETE FROM player WHERE name = 'Ann'"))
        connection.execute(text("UPDATE alembic_version SET version_num = 'next'"))

    monkeypatch.setattr("alembic.command.upgrade", lose_players)
    with pytest.raises(
        BrokenReferences, match=r"1 row would refer to nothing .* whose player is missing"
    ):
        migrate.upgrade(database, "next")
    assert table.row_counts(database) == before


def test_references_that_were_broken_before_hinder_nobody_who_migrates_nothing(
    database: Database, club: Access
) -> None:
    """They are for verify to report, which opens the books as every start does."""
    table.start(database, club)
    with database.engine.begin() as connection:
        raw: Any = connection.connection.driver_connection
        raw.execute("ROLLBACK")
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute("DELETE FROM player WHERE name = 'Ann'")
        raw.execute("PRAGMA foreign_keys = ON")
        raw.execute("BEGIN")
    migrate.upgrade(database)
    assert any("its player_id is 1, which is gone" in str(each) for each in verify(database))


def test_references_are_held_again_after_migrating(database: Database, club: Access) -> None:
    """The connection that migrated goes back to work with foreign keys on, in WAL mode."""
    table.start(database, club)
    migrate.upgrade(database)
    with database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one() == 1
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []


@pytest.mark.postgres
def test_on_postgresql_who_comes_second_waits_for_as_long_as_migrating_takes(
    postgres_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer than a writer would: the other process is at work, and trying again would gain nothing."""
    monkeypatch.setattr("ledger.database.connecting.WAIT_SECONDS", 0.05)
    database = Database(postgres_url())
    with ThreadPoolExecutor(1) as pool:
        with database.engine.begin() as first:
            first.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": revisions.LOCK})
            second = pool.submit(migrate.upgrade, database)
            with pytest.raises(TimeoutError):
                second.result(timeout=0.5)
        second.result(timeout=60)
    clubs.create(database, name="Kitchen Table", passcode="123456")
    database.close()


@pytest.mark.parametrize("hold", ["BEGIN EXCLUSIVE", "BEGIN"])
def test_a_database_that_stays_locked_is_not_waited_for_for_ever(
    database: Database, monkeypatch: pytest.MonkeyPatch, hold: str
) -> None:
    """Changing to WAL is tried again while others are at it, then given up with SQLite's own words."""
    monkeypatch.setattr(migrate, "_WAL_TRIES", 2)
    monkeypatch.setattr("ledger.database.connecting.WAIT_SECONDS", 0)
    holder = sqlite3.connect(str(database.url.database), isolation_level=None)
    holder.execute("PRAGMA journal_mode = DELETE")
    holder.execute(hold)
    holder.execute("SELECT * FROM club")
    impatient = Database(str(database.url))
    with pytest.raises((sqlite3.OperationalError, OperationalError), match="locked"):
        migrate.upgrade(impatient)
    holder.close()
    migrate.upgrade(impatient)
    impatient.close()


def _loan(database: Database, access: Access, played: int) -> None:
    cash.lend(database, access, played, "Bob", 20)


def _rate(database: Database, access: Access, played: int) -> None:
    convert.set_rate(table.write(database, access), played, rate=cash.TEN_FOR_ONE)


def _sits_out(database: Database, access: Access, played: int) -> None:
    evening.sit_out(table.write(database, access), played, player="Bob")


def _count(database: Database, access: Access, played: int) -> None:
    count.record(table.write(database, access), played, {"Bob": {5: 1}})


def _pots(database: Database, access: Access, played: int) -> None:
    with database.write(access) as session:
        journal.open_account(session, AccountKind.POT, session_id=played, name="frog")


@pytest.mark.parametrize("write", [_loan, _rate, _sits_out, _count, _pots])
def test_what_older_books_have_no_place_for_is_not_lost_by_going_down(
    database: Database, write: Callable[[Database, Access, int], None]
) -> None:
    """Money, seats that are left, counts: the way down is refused, and nothing has changed."""
    access, played = fill(database)
    write(database, access, played)
    before = schema(database), table.row_counts(database)
    with pytest.raises(RuntimeError, match=r"revision 000\d has no place for them"):
        migrate.downgrade(database, "0001")
    assert (schema(database), table.row_counts(database)) == before


def test_books_of_the_first_revision_get_their_keys_and_sums(own_database: Database) -> None:
    """They verify: accounts by their keys, the tallies, head to head, bids and wins a seat."""
    access, _ = fill(own_database)
    six = table.start(own_database, access, table.FOUR, "six-bid")
    solo = {"contract": {"bidder": "Cyd", "bid": "solo", "trump": "S"}, "points": 66}
    table.record(own_database, access, six, solo)
    table.record(own_database, access, six, {**solo, "points": 50})
    keys = cash.held(own_database, access)
    assert list(verify(own_database)) == []
    migrate.downgrade(own_database, "0001")
    migrate.upgrade(own_database)
    assert list(verify(own_database)) == []
    assert cash.held(own_database, access) == keys
    cyd = cash.seat(own_database, access, six, "Cyd")
    assert (cyd.hands_bid, cyd.hands_won) == (2, 1)
    cash.leave(own_database, access, six, "Cyd")
    with pytest.raises(DatabaseError, match="a closed account takes no posting"):
        _post_past_the_journal(own_database, cyd.account_id)


def _post_past_the_journal(database: Database, account_id: int) -> None:
    with database.write() as session:
        session.execute(
            text(
                "INSERT INTO posting (club_id, id, entry_id, account_id, amount, balance) "
                "SELECT club_id, 1000, max(id), :account, 5, 5 FROM journal_entry GROUP BY club_id"
            ),
            {"account": account_id},
        )
