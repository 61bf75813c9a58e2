"""Verify a ledger: recompute verdicts, entries, balances, digests and sums, and report each difference.

The journal is read once, in its order and in chunks: time grows with the ledger, memory hardly does.
Columns are read instead of objects. Nothing is repaired.
"""

import gc
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ledger.books.rescoring import Rescored, StoredTexts, score_again
from ledger.database.connecting import Connected
from ledger.database.json import SPOILED
from ledger.runtime.jobs import in_order
from ledger.services.audit import bounds, contents, definitions, ownership, rows, salvage, settings
from ledger.services.audit.entries import Entries
from ledger.services.audit.hands import Hands
from ledger.services.audit.integrity import Integrity, Remark
from ledger.services.audit.lookups import (
    Chunk,
    Difference,
    Lookups,
    chunks,
    entry_count,
    stored_texts,
)
from ledger.services.audit.signatures import Head, Outside
from ledger.services.audit.tallies import Sums
from ledger.words.problems import Unreachable

__all__ = ["Difference", "Head", "Outside", "differences", "verify"]

SHORT = 10_000
"""The most entries of a journal that is scored without further processes, as starting them takes longer."""

Progress = Callable[[int, int], None]
"""A callback for progress, with the number of checked entries and of all entries."""


def verify(
    db: Connected,
    progress: Progress | None = None,
    jobs: int = 1,
    outside: Outside | None = None,
    remark: Remark | None = None,
) -> Iterator[Difference]:
    """Yield every difference between the stored and the recomputed data of all clubs, read in one snapshot.

    So is each fault of the SQLite file or of PostgreSQL's pages, which are checked outside the snapshot.
    An unreachable server raises ``Unreachable``, the death of a process ``WorkerLost``. Python collects no
    garbage until the iterator ends or is closed.

    Args:
        db: The database.
        progress: Called after each chunk of entries.
        jobs: The number of processes that score hands; a short journal is scored in this one.
        outside: Keys and heads known from elsewhere.
        remark: Called at the end with each sentence about a finding that is not a fault.

    """
    integrity = Integrity(db)
    was_enabled = gc.isenabled()
    gc.disable()  # the rows contain no cycles, and searching so many for some takes long
    try:
        with db.one_moment() as connection:
            yield from differences(connection, progress, jobs, outside, remark)
        yield from integrity.differences()
        if remark is not None:
            for sentence in integrity.remarks:
                remark(sentence)
    except (Unreachable, UnicodeDecodeError) as error:
        if not db.is_sqlite:
            yield from integrity.differences()
            raise
        # An SQLite file too damaged to be read; an unreachable server says nothing about its data.
        yield Difference("The books", "the file", str(getattr(error, "why", error)))
    finally:
        if was_enabled:
            gc.enable()


def differences(
    connection: Connection,
    progress: Progress | None = None,
    jobs: int = 1,
    outside: Outside | None = None,
    remark: Remark | None = None,
) -> Iterator[Difference]:
    """Yield every difference that this transaction sees; see ``verify`` for the arguments.

    Unreadable data becomes a difference and ends the reading, without remarks; an interruption by ``bounds``
    is a difference, too. If a view replaces a table, no rows are read, and only definitions are checked.
    """
    lookups, failures = Lookups({}), (*_FAILURES, connection.dialect.loaded_dbapi.Error)
    try:
        if replaced := bounds.replaced_tables(connection):
            definitions.check(connection, lookups)
            yield from (*lookups.drain(), *replaced)
            return
        lookups = Lookups.load(connection)
        audit = _Audit(connection, lookups, Entries(lookups, outside or Outside()), failures)
        yield from audit.differences(progress, jobs)
    except failures as error:
        # Data of a wrong type that no check has caught: report at least how the reading ended.
        yield from lookups.drain()
        yield _unreadable(error)
        remark = None
    if bounds.exceeded(connection):
        message = "reading takes far longer than its size allows; the rest was not read"
        yield Difference("The books", "the file", message)
    if remark is not None:
        for sentence in audit.entries.signatures.remarks():
            remark(sentence)


_FAILURES = (*SPOILED, *salvage.UNREADABLE, ArithmeticError, AssertionError, DBAPIError)
"""The exceptions a check can raise if the data was changed by hand or a page is damaged."""


def _unreadable(error: BaseException, place: str = "beyond this") -> Difference:
    return Difference("The books", place, f"they can't be read on ({error!r})")


@dataclass(frozen=True, slots=True)
class _Audit:
    """All checks in their order; if one fails, the next one still runs."""

    connection: Connection
    lookups: Lookups
    entries: Entries
    failures: tuple[type[BaseException], ...]

    def differences(self, progress: Progress | None, jobs: int) -> Iterator[Difference]:
        """Yield the differences of each chunk of entries, and then those of everything else.

        A check that raises becomes a difference itself, and an unreadable journal ends at that place; the
        other checks still run. Few differences are in memory at a time.
        """
        connection, lookups, entries = self.connection, self.lookups, self.entries
        sums = Sums(lookups)
        hands = Hands(lookups, sums)
        total, checked = entry_count(connection), 0
        self._run("definitions", definitions.check, connection, lookups)
        self._run("references", ownership.check, connection, lookups)
        try:
            for chunk, answers in _scored(connection, jobs if total > SHORT else 1):
                self._run("entries", entries.check, connection, chunk)
                self._run("hands", hands.check, chunk, answers)
                self._run("results", sums.check, connection)
                yield from self._drain()
                checked += len(chunk.entries)
                if progress is not None:
                    progress(checked, total)
        except self.failures as error:
            yield _unreadable(error, "the journal")
        other = entries.other
        self._run("accounts", entries.finish)
        self._run("hands", hands.finish, connection, entries.reversed, other.pot_moves)
        row_counts = {"posting": entries.postings, "hand_version": hands.versions}
        self._run("what no entry has", ownership.check_rest, connection, lookups, row_counts)
        self._run("sums", sums.finish, connection, other.advanced, other.converted)
        journaled = other.closed, other.successors, other.won
        self._run("seats and sessions", rows.check, connection, lookups, *journaled)
        self._run("settings", settings.check, connection, lookups)
        self._run("the register", other.register.check, connection)
        self._run("columns", contents.check, connection, lookups)
        yield from self._drain()

    def _run(self, name: str, check: Callable[..., object], *arguments: Any) -> None:
        try:
            with salvage.savepoint(self.connection):
                check(*arguments)
        except self.failures as error:
            self.lookups.differences.append(_unreadable(error, name))

    def _drain(self) -> Iterator[Difference]:
        yield from self.lookups.drain()
        for place, reason in salvage.drain(self.connection):
            yield Difference("The books", place, f"it can't be read ({reason})")


def _scored(connection: Connection, jobs: int) -> Iterator[tuple[Chunk, list[Rescored]]]:
    """Yield the chunks of the journal in order, each with the engine's answers for its hands.

    Processes are spawned: a forked copy would share this process's connection.
    """
    pending: deque[Chunk] = deque()

    def batches() -> Iterator[list[StoredTexts]]:
        for chunk in chunks(connection):
            pending.append(chunk)
            yield list(map(stored_texts, chunk.all_versions))

    for answers in in_order(score_again, batches(), jobs, start="spawn"):
        yield pending.popleft(), answers
