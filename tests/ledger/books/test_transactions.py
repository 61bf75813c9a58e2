"""The database: reads of one moment, writes that queue, and nothing left of what failed."""

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    DataError,
    IntegrityError,
    InternalError,
    OperationalError,
    StatementError,
)
from sqlalchemy.pool import QueuePool
from sqlmodel import func, select

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.books.transactions import Database
from ledger.database import connecting
from ledger.database.access import Access, Role
from ledger.database.models import Account, Club, EntryKind, Player, Posting
from ledger.database.narrowing import Scope
from ledger.database.scope import narrow
from ledger.keeping import migrate
from ledger.runtime.clock import now
from ledger.runtime.config import Settings
from ledger.services.club import clubs, players, tokens
from ledger.services.common.writing import Write
from ledger.services.hands import record
from ledger.services.session import load as session_load
from ledger.services.session.load import load
from ledger.words.problems import Busy, NotFound, NotSignedIn, ReadOnly
from tests.ledger import table
from tests.ledger.table import ask

THREADS, WRITES = 12, 30


def statements(database: Database, act: Callable[[], object]) -> list[str]:
    """Return all that is sent to a database while ``act`` runs."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    act()
    event.remove(database.engine, "before_cursor_execute", note)
    return sent


def test_on_sqlite_a_write_begins_immediate_and_a_read_deferred(
    database: Database, club: Access
) -> None:
    """A deferred write that reads first would lose updates; an immediate read would queue for nothing."""
    writing = statements(database, lambda: players.add(table.write(database, club), name="Ann"))
    assert writing[0] == "BEGIN IMMEDIATE"
    reading = statements(database, lambda: ask(database, club, players.everyone))
    assert reading[0] == "BEGIN"
    assert not [sent for sent in reading + writing if "BEGIN" in sent][2:]


def test_on_sqlite_every_connection_keeps_references_and_syncs_fully(database: Database) -> None:
    """Foreign keys are on, a saved hand survives a power cut, and readers go on beside a writer."""
    for open_ in (database.read, database.write):
        with open_() as session:
            assert session.execute(text("PRAGMA foreign_keys")).scalar_one() == 1
            assert session.execute(text("PRAGMA synchronous")).scalar_one() == 2
            assert session.execute(text("PRAGMA journal_mode")).scalar_one() == "wal"


def test_a_row_that_points_at_nothing_is_refused(any_database: Database) -> None:
    """Both databases hold the references."""
    with pytest.raises(IntegrityError), any_database.write() as session:
        session.add(Player(club_id=99, id=1, name="Ann", name_key="ann", created_at=now()))


def test_a_read_sees_one_moment(any_database: Database) -> None:
    """What others commit meanwhile is not seen until the next read."""
    access, _ = clubs.create(any_database, name="Kitchen Table", passcode="123456")
    with any_database.read(access) as session:
        assert session.exec(select(func.count()).select_from(Player)).one() == 0
        players.add(table.write(any_database, access), name="Ann")
        assert session.exec(select(func.count()).select_from(Player)).one() == 0
    assert [player.name for player in ask(any_database, access, players.everyone)] == ["Ann"]


def test_threads_that_write_at_once_lose_nothing(any_database: Database) -> None:
    """Twelve threads of thirty writes each, in two clubs: every chip is where it belongs."""
    tables = []
    for name in ("Kitchen Table", "Other Table"):
        access, _ = clubs.create(any_database, name=name, passcode="123456")
        tables.append((access, table.start(any_database, access)))
    numbers = count()

    def write_many(thread: int) -> None:
        access, session_id = tables[thread % 2]
        for _ in range(WRITES):
            key = f"thread-{thread}-{next(numbers)}"
            record.record(Write(any_database, access, key), session_id, table.HEARTS_74)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(write_many, range(THREADS)))
    hands_each = THREADS // 2 * WRITES
    for access, session_id in tables:
        view = ask(any_database, access, load, session_id)
        assert (view.hands_dealt, view.revision) == (hands_each, hands_each + 1)
        assert {seat.name: seat.balance for seat in view.seats} == {
            name: amount * hands_each for name, amount in table.PAYS_HEARTS_74.items()
        }
        with any_database.read(access) as session:
            for seat in view.seats:
                running = session.exec(
                    select(Posting.amount, Posting.balance)
                    .where(Posting.account_id == seat.account_id)
                    .order_by("id")
                ).all()
                assert running == [
                    (running[0][0], running[0][0] * (n + 1)) for n in range(hands_each)
                ]


def test_what_raises_leaves_no_trace(any_database: Database) -> None:
    """A write that fails at its last step has written nothing, flushed or not."""
    access, _ = clubs.create(any_database, name="Kitchen Table", passcode="123456")
    session_id = table.start(any_database, access)
    before = table.row_counts(any_database)

    def fail_late() -> None:
        with any_database.write(access) as session:
            session.add(Player(name="Zed", name_key="zed", created_at=now()))
            seat = session_load.load(session, session_id).seats[0]
            session.get_one(Account, (access.club_id, seat.account_id)).balance += 5
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_late()
    assert table.row_counts(any_database) == before
    assert set(table.balances(any_database, access, session_id).values()) == {0}


def test_a_hand_whose_last_write_fails_is_not_half_saved(
    any_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Record, verdict, entry and balances are there and announced, or nothing is; the key stays free."""
    announce = Mock()
    monkeypatch.setattr(any_database, "on_saved", announce)
    access, _ = clubs.create(any_database, name="Kitchen Table", passcode="123456")
    session_id = table.start(any_database, access)
    before = table.row_counts(any_database)
    announce.reset_mock()
    key = table.new_key()

    def fail(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("ledger.services.hands.preview.written", fail)
        with pytest.raises(RuntimeError):
            record.record(Write(any_database, access, key), session_id, table.HEARTS_74)
    assert table.row_counts(any_database) == before
    announce.assert_not_called()
    answer = record.record(Write(any_database, access, key), session_id, table.HEARTS_74)
    assert answer["balances"] == table.PAYS_HEARTS_74
    announce.assert_called_once_with()


def test_a_locked_database_is_busy(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program holds the file for too long: 503, nothing saved or held, trying again is safe."""
    monkeypatch.setattr(connecting, "WAIT_SECONDS", 0.05)
    impatient = Database(str(database.url))
    holder = sqlite3.connect(str(database.url.database), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(Busy) as caught:
            players.add(table.write(impatient, club), name="Ann")
        assert caught.value.status == 503
        pool = impatient.engine.pool
        assert isinstance(pool, QueuePool)
        assert pool.checkedout() == 0, "a connection waits for the error to be forgotten"
        assert ask(impatient, club, players.everyone) == []
    finally:
        holder.close()
        impatient.close()
    players.add(table.write(database, club), name="Ann")


def test_writers_take_turns_and_whoever_waits_too_long_is_told(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within one process writers queue; a writer that never ends makes the others busy, not stuck."""
    monkeypatch.setattr(connecting, "WAIT_SECONDS", 0.05)
    with database.write(club), ThreadPoolExecutor(1) as pool:
        refused = pool.submit(players.add, table.write(database, club), name="Ann")
        assert type(refused.exception(timeout=10)) is Busy
    players.add(table.write(database, club), name="Ann")


def test_a_service_out_of_connections_is_busy(database: Database, club: Access) -> None:
    """Everybody waits for everybody: whoever waits too long is told so."""
    narrow = Database(str(database.url))
    narrow.engine = create_engine(database.url, pool_size=1, max_overflow=0, pool_timeout=0.05)
    narrow._reading = narrow.engine
    with narrow.read(club) as session:
        session.exec(select(Club)).one()
        with pytest.raises(Busy):
            ask(narrow, club, players.everyone)
    narrow.close()


def test_other_faults_of_the_database_are_not_called_busy(database: Database) -> None:
    """A missing table is our mistake and must be seen as one."""
    with pytest.raises(OperationalError, match="no such table"), database.read() as session:
        session.execute(text("SELECT * FROM nowhere"))


@pytest.mark.parametrize("number", [2**31, 2**63, -(2**63) - 1, 10**30])
def test_a_number_that_no_row_can_have_is_not_found(any_database: Database, number: int) -> None:
    """Asking either database for it is no failure of the service."""
    access, _ = clubs.create(any_database, name="Kitchen Table", passcode="123456")
    with pytest.raises(NotFound):
        ask(any_database, access, load, number)
    with pytest.raises(NotFound):
        tokens.revoke(any_database, access, number)
    with pytest.raises(NotFound):
        table.void(any_database, access, table.start(any_database, access), number)


def test_a_number_too_large_to_be_written_is_not_called_unknown(any_database: Database) -> None:
    """Nobody asked for it: it is our mistake and must be seen as one, and nothing is left of it."""
    access, _ = clubs.create(any_database, name="Kitchen Table", passcode="123456")
    before = table.row_counts(any_database)
    with pytest.raises((OverflowError, DataError)), any_database.write(access) as session:
        session.add(Account(key="till", kind="till", balance=2**63))
    assert table.row_counts(any_database) == before


def test_a_viewer_cannot_open_a_write(database: Database, club: Access) -> None:
    """Refused before the database is asked for anything."""
    viewer = Access(club.club_id, Role.VIEWER, "viewer")
    with pytest.raises(ReadOnly), database.write(viewer):
        raise AssertionError


def test_a_club_that_is_gone_is_not_written_to(database: Database) -> None:
    """Its access is worth nothing any more."""
    with pytest.raises(NotSignedIn), database.write(Access(99, Role.SCORER, "Sue")):
        raise AssertionError
    with pytest.raises(NotSignedIn):
        ask(database, Access(99, Role.SCORER, "Sue"), clubs.show)


def test_a_write_for_a_club_that_is_gone_is_told_so(any_database: Database) -> None:
    """Its rows find no club, and it leaves none; who sent it is told that the club is gone."""
    nobodys = Access(99, Role.SCORER, "Sue")
    before = table.row_counts(any_database)
    with pytest.raises(NotSignedIn, match="not kept here any more"):
        players.add(table.write(any_database, nobodys), name="Bob")
    with pytest.raises(NotSignedIn, match="not kept here any more"):
        table.record(any_database, nobodys, 1, table.HEARTS_74)
    assert table.row_counts(any_database) == before


@pytest.mark.parametrize(
    "url", ["sqlite:///{}/books.sqlite", "postgresql+psycopg://nobody@localhost/nowhere"]
)
def test_there_is_a_connection_for_each_thread(url: str, tmp_path: Path) -> None:
    """Eight that read and eight that write, unless it is told otherwise, and one that makes a backup."""
    made = Database(url.format(tmp_path))
    assert isinstance(made.engine.pool, QueuePool)
    most = made.engine.pool.size() + made.engine.pool._max_overflow
    assert most > 2 * Settings("", tmp_path, "").threads
    made.close()


@pytest.mark.postgres
def test_one_clubs_writes_wait_for_one_another_and_not_for_other_clubs(
    postgres_url: Callable[[], str],
) -> None:
    """On PostgreSQL: while one club writes, another saves; a second write of the first club waits.

    So does one whose token is found in its own transaction.
    """
    database = Database(postgres_url())
    migrate.upgrade(database)
    one, _ = clubs.create(database, name="One", passcode="123456")
    two, _ = clubs.create(database, name="Two", passcode="123456")
    secret, _ = tokens.issue(database, one, label="tablet", role=Role.SCORER)
    saved, let_in = threading.Event(), threading.Event()

    def write_again() -> None:
        players.add(table.write(database, one), name="Bob")
        saved.set()

    def come_with_a_token() -> None:
        with database.write() as session:
            tokens.open_with(session, secret, writing=True)
            let_in.set()

    with database.write(one):
        waiting = [threading.Thread(target=each) for each in (write_again, come_with_a_token)]
        for each in waiting:
            each.start()
        players.add(table.write(database, two), name="Ann")
        assert not saved.wait(0.2)
        assert not let_in.is_set()
    for each in waiting:
        each.join(10)
    assert saved.is_set()
    assert let_in.is_set()
    database.close()


@pytest.mark.postgres
def test_on_postgresql_whoever_waits_too_long_for_a_clubs_writer_is_told(
    postgres_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that never ends makes the others of its club busy, not stuck; other clubs go on."""
    monkeypatch.setattr(connecting, "WAIT_SECONDS", 0.05)
    impatient = Database(postgres_url())
    migrate.upgrade(impatient)
    one, _ = clubs.create(impatient, name="One", passcode="123456")
    two, _ = clubs.create(impatient, name="Two", passcode="123456")
    with ThreadPoolExecutor(1) as pool, impatient.write(one):
        refused = pool.submit(players.add, table.write(impatient, one), name="Ann")
        assert isinstance(refused.exception(timeout=10), Busy)
        players.add(table.write(impatient, two), name="Bob")
    assert ask(impatient, one, players.everyone) == []
    players.add(table.write(impatient, one), name="Ann")
    impatient.close()


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("said", "waits"), [({}, "20s"), ({"options": "-c lock_timeout=1500"}, "1500ms")]
)
def test_on_postgresql_a_wait_that_the_url_says_holds(
    postgres_url: Callable[[], str], said: dict[str, str], waits: str
) -> None:
    """Else it is as long as on SQLite, on every connection."""
    url = make_url(postgres_url()).update_query_dict(said)
    database = Database(url.render_as_string(hide_password=False))
    for _ in range(2):
        with database.read() as session:
            assert session.execute(text("SHOW lock_timeout")).scalar_one() == waits
        database.engine.dispose()


def test_a_time_comes_back_aware_and_in_utc(any_database: Database) -> None:
    """SQLite drops zones; the column gives UTC back, and refuses a time that never had one."""
    with any_database.write() as session:
        at = datetime.fromisoformat("2026-01-31T21:15:00.123456+01:00")
        made = Club(name="A", name_key="a", passcode_hash="", created_at=at)
        session.add(made)
        session.flush()
        narrow(session, Scope(made.id))
    with any_database.read() as session:
        kept = session.exec(select(Club)).one().created_at
    assert (kept, kept.tzinfo) == (at, UTC)
    naive = datetime(2026, 1, 31)  # noqa: DTZ001 - what must not be
    other = Club(name="B", name_key="b", passcode_hash="", created_at=naive)
    with pytest.raises(StatementError, match="without a zone"), any_database.write() as session:
        session.add(other)


def test_a_large_balance_is_no_trouble(any_database: Database) -> None:
    """Accounts hold more than 32 bits: nobody plays that high, but nothing breaks."""
    access, _ = clubs.create(any_database, name="Kitchen Table", passcode="123456")
    session_id = table.start(any_database, access, ("Ann", "Bob", "Cyd"))
    ann, bob, _ = (seat.account_id for seat in ask(any_database, access, load, session_id).seats)
    with any_database.write(access) as session:
        header = EntryHeader(session_id, EntryKind.HAND, "Sue", now(), now())
        journal.post(session, header, {ann: 2**40, bob: -(2**40)})
    assert table.balances(any_database, access, session_id) == {
        "Ann": 2**40,
        "Bob": -(2**40),
        "Cyd": 0,
    }


@pytest.mark.postgres
def test_on_postgresql_nothing_is_written_by_who_reads(postgres_books: Database) -> None:
    """The database itself refuses it; a write by the same pool goes on."""
    with postgres_books.read() as session, pytest.raises(InternalError, match="read-only"):
        session.execute(text("DELETE FROM club"))
    with postgres_books.write() as session:
        session.execute(text("DELETE FROM api_token"))
