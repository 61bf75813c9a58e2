"""The database: read transactions with one snapshot, and write transactions one after another.

SQLite: every write transaction begins IMMEDIATE, because a deferred one that reads before it writes loses
updates. Writers of one process queue before that, because SQLite's waiters poll and some would starve.

PostgreSQL: a write locks its club's row first, so that a club's writes follow one another while other clubs
continue. A writer that waits too long gets an error.

A write is rejected if another version of this program has migrated the database.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from engine.words.sentences import say
from ledger.books import register
from ledger.database import connecting, outage, revisions
from ledger.database.access import Access
from ledger.database.connecting import MOST_OPEN, Connected, named_failures
from ledger.database.narrowing import EVERY_CLUB, Scope
from ledger.database.outage import SameFile
from ledger.database.scope import NoSuchClub, ScopedSession, narrow
from ledger.database.waiting_line import WaitingLine
from ledger.runtime.metrics import NOBODY_READS, Metrics
from ledger.runtime.signing import SigningKey
from ledger.words.problems import Busy, FileLocked, NotSignedIn, Unreachable

_WHILE_HELD = 1
"""The seconds to wait while another program locks the file for long, until a save succeeds.

With the normal limit each queued writer would wait its own twenty seconds, and the last of twenty a minute.
"""


class Database(Connected):
    """A database with read and write transactions.

    ``signer`` signs entries. ``on_saved`` is called after each commit of this process, in the thread that
    commits.
    """

    def __init__(self, url: str, most_open: int = MOST_OPEN) -> None:
        super().__init__(url, most_open)
        self.signer: SigningKey | None = None
        self._line = WaitingLine()
        self._is_held = False
        self.metrics: Metrics = NOBODY_READS
        self.on_saved: Callable[[], None] = _ignore
        self.same_file = SameFile(
            (self.url.database or "").removeprefix("file:") if self.is_sqlite else None
        )
        self._writing = self.engine
        if self.is_sqlite:
            self._writing = self.engine.execution_options(ledger_begin="BEGIN IMMEDIATE")

    @contextmanager
    def read(self, access: Access | None = None) -> Iterator[ScopedSession]:
        """Open a read transaction, which sees one moment, in the club of ``access``; None opens all clubs.

        Functions that are ``asked_once`` keep their results in it. Raises ``Busy``, ``FileLocked`` or
        ``Unreachable`` if the database fails.
        """
        with self._open(self._reading, access) as session:
            session.answers = {}
            yield session

    @contextmanager
    def write(
        self, access: Access | None = None, *, within: float | None = None, checks: bool = True
    ) -> Iterator[ScopedSession]:
        """Open a write transaction; commit at the end, and roll back if anything is raised.

        The commit enters the changes of sealed rows into the journal first, and calls ``on_saved``
        afterwards. Raises ``ReadOnly`` for a viewer, ``NotSignedIn`` if the club was removed, ``Busy`` or
        ``FileLocked`` if others lock the database for too long, ``Unreachable`` if it fails or its file was
        moved, with whether anything may have been saved, and as ``revisions.must_be_ours`` does.

        Args:
            access: The access to a club, or None across all clubs.
            within: The most seconds to wait for an SQLite file.
            checks: False if the caller loads the club and checks the revision itself.
        """
        if access is not None:
            access.must_write()
        started = perf_counter()
        with self._turn(within), self._open(self._in_time(within), access) as session:
            if access is not None:
                revisions.must_be_ours(_locked(session))
            elif checks:
                revisions.must_be_ours(revisions.stored(session.get_bind()))
            self.metrics.waited(perf_counter() - started)
            if not self.same_file:
                raise Unreachable(outage.MOVED)
            session.author = access.author if access else ""
            yield session
            session.finish()
            register.enter(
                session
            )  # a failure here saves nothing; after a failed commit that is unknown
            session.settle()
            self._commit(session)

    def _commit(self, session: ScopedSession) -> None:
        try:
            session.commit()
        except DBAPIError as error:
            failed = outage.failure(error, Unreachable.not_known)
            if failed is None:
                raise
            raise failed from error
        if not self.same_file:
            raise Unreachable(outage.MOVED, Unreachable.not_known)
        self._is_held = False
        self.metrics.saved()
        self.on_saved()

    @contextmanager
    def _turn(self, within: float | None) -> Iterator[None]:
        """Wait for the other writers of this process to an SQLite file; on PostgreSQL do nothing.

        Raises after ``within`` seconds: ``FileLocked`` if another program has locked the file, else ``Busy``.
        """
        if not self.is_sqlite:
            yield
            return
        with self._line.turn(self._patience(within)) as is_ours:
            if not is_ours:
                raise FileLocked() if self._is_held else Busy()
            yield

    def _patience(self, within: float | None) -> float:
        """Return the seconds to wait for other writers: ``within``, 20 at most.

        While another program has locked the file for long, it is at most ``_WHILE_HELD``.
        """
        most = _WHILE_HELD if self._is_held else connecting.WAIT_SECONDS
        return min(within or connecting.WAIT_SECONDS, most)

    def _in_time(self, within: float | None) -> Engine:
        """Return the engine for writing, which waits for a locked file only the seconds of ``_patience``."""
        patience = self._patience(within)
        if not self.is_sqlite or patience == connecting.WAIT_SECONDS:
            return self._writing
        return self._writing.execution_options(ledger_patience=patience)

    @contextmanager
    def _open(self, engine: Engine, access: Access | None) -> Iterator[ScopedSession]:
        """Open a session in the club of ``access``, or in all clubs, for the block.

        Failures of the database are raised as problems, such as ``Busy`` and ``Unreachable``. If a migration
        explains the failure of a statement, ``Migrating`` or ``OtherRevision`` is raised.
        """
        try:
            with named_failures(), ScopedSession(engine) as session:
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
        """Raise ``Migrating`` or ``OtherRevision`` if a migration explains the failure of a statement."""
        with named_failures(), self.engine.begin() as connection:
            revisions.must_be_ours(revisions.stored(connection))


def _locked(session: ScopedSession) -> str | None:
    """Lock the club's row, and return the database's revision.

    Raises ``NotSignedIn`` if the club is gone or has left.
    """
    try:
        return session.lock()
    except NoSuchClub as error:
        gone = say("This club is not kept here any more. Nothing was saved.")
        raise NotSignedIn(gone) from error


def _ignore() -> None:
    """Default listener: ignore saved changes."""
