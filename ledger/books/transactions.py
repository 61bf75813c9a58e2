"""The database: read transactions that see one moment, and write transactions that queue.

SQLite: WAL, and every write transaction begins IMMEDIATE: a deferred one that reads first and writes
later loses updates.
Writers of one process wait in line before that: SQLite lets waiters guess, and some would starve for seconds.
PostgreSQL: a write locks its club's row first, so that one club's writes follow one another while other
clubs go on; a writer that waits too long for it is told so.
A write is refused if another version of this program has migrated the database meanwhile.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import select

from ledger.books import register
from ledger.database import connecting, outage, revisions
from ledger.database.access import Access
from ledger.database.connecting import MOST_OPEN, Connected, named_failures
from ledger.database.models import Club
from ledger.database.outage import SameFile
from ledger.database.prepared_statements import DriverConnection
from ledger.database.revisions import StoredRevision
from ledger.database.scope import EVERY_CLUB, Built, Scope, ScopedSession, narrow
from ledger.database.waiting_line import WaitingLine
from ledger.runtime.metrics import NOBODY_READS, Metrics
from ledger.runtime.signing import SigningKey
from ledger.words.problems import Busy, FileLocked, NotSignedIn, Unreachable

_LOCK = Built(lambda _club, revision: revision, select(Club.id, StoredRevision()).with_for_update())
_WHILE_HELD = 1
"""Seconds to wait where another program has held the file for longer than that, until a save gets through.

Otherwise each of those in line would wait its own twenty seconds, and the last of twenty a minute.
"""


class Database(Connected):
    """A database with the two ways in: ``read`` and ``write``. ``signer`` signs what is entered.

    ``on_saved`` is called after each commit of this process, in the thread that wrote.
    """

    def __init__(self, url: str, most_open: int = MOST_OPEN) -> None:
        super().__init__(url, most_open)
        self.signer: SigningKey | None = None
        self._line = WaitingLine()
        self._is_held = False
        self.metrics: Metrics = NOBODY_READS
        self.on_saved: Callable[[], None] = _nobody_waits
        self.same_file = SameFile(
            (self.url.database or "").removeprefix("file:") if self.is_sqlite else None
        )
        self._writing = self.engine
        if self.is_sqlite:
            self._writing = self.engine.execution_options(ledger_begin="BEGIN IMMEDIATE")

    @contextmanager
    def read(self, access: Access | None = None) -> Iterator[ScopedSession]:
        """Open a read transaction in the club of ``access``; without one, across all clubs."""
        with self._open(self._reading, access) as session:
            session.answers = {}
            yield session

    @contextmanager
    def write(
        self, access: Access | None = None, *, within: float | None = None, checks: bool = True
    ) -> Iterator[ScopedSession]:
        """Open a write transaction; commit at the end, leave no trace of it when anything is raised.

        Raises ``ReadOnly`` for a viewer, ``Busy`` when others hold the database for too long (an SQLite file:
        for longer than ``within`` seconds), ``Unreachable`` when it fails, which says whether anything can
        have been saved, and what ``revisions.must_be_ours`` raises. A caller that looks the club up by
        itself calls that by itself, too, and ``checks`` nothing here.
        """
        if access is not None:
            access.must_write()
        came = perf_counter()
        with self._turn(within), self._open(self._in_time(within), access) as session:
            if access is not None:
                locked = session.ask(_LOCK)
                if not locked:
                    raise NotSignedIn("This club no longer exists here.")
                revisions.must_be_ours(*locked)
            elif checks:
                revisions.must_be_ours(revisions.stored(session.driver))
            self.metrics.waited(perf_counter() - came)
            if not self.same_file:
                raise Unreachable(outage.MOVED)
            session.author = access.author if access else ""
            yield session
            session.finish()
            register.enter(session)  # what fails here was not saved; of the commit nobody knows
            self._commit(session)

    def _commit(self, session: ScopedSession) -> None:
        try:
            session.commit()
        except DBAPIError as error:
            why = outage.reason(error)
            if why is None:
                raise
            raise Unreachable(why, Unreachable.not_known) from error
        if not self.same_file:
            raise Unreachable(outage.MOVED, Unreachable.not_known)
        self._is_held = False
        self.metrics.saved()
        self.on_saved()

    @contextmanager
    def _turn(self, within: float | None) -> Iterator[None]:
        if not self.is_sqlite:
            yield
            return
        with self._line.turn(self._patience(within)) as ours:
            if not ours:
                raise FileLocked() if self._is_held else Busy()
            yield

    def _patience(self, within: float | None) -> float:
        """Return for how many seconds to wait now."""
        most = _WHILE_HELD if self._is_held else connecting.WAIT_SECONDS
        return min(within or connecting.WAIT_SECONDS, most)

    def _in_time(self, within: float | None) -> Engine:
        """Return the engine that writes, and that waits no longer than that for who holds the file."""
        patience = self._patience(within)
        if not self.is_sqlite or patience == connecting.WAIT_SECONDS:
            return self._writing
        return self._writing.execution_options(ledger_patience=patience)

    @contextmanager
    def _open(self, engine: Engine, access: Access | None) -> Iterator[ScopedSession]:
        try:
            with named_failures(), ScopedSession(engine, expire_on_commit=False) as session:
                session.signer = self.signer
                narrow(session, EVERY_CLUB if access is None else Scope(access.club_id))
                yield session
        except FileLocked:
            self._is_held = True
            raise
        except DBAPIError:
            self._must_be_of_our_revision()
            raise

    def _must_be_of_our_revision(self) -> None:
        """Raise ``OtherRevision`` if that is why a statement has just failed."""
        with named_failures(), self.engine.begin() as connection:
            revisions.must_be_ours(revisions.stored(DriverConnection(connection)))


def _nobody_waits() -> None:
    """Do nothing: nobody is told of what is saved."""
