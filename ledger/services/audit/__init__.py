"""Verify a ledger: recompute verdicts, entries, balances, digests and sums, and report each difference.

One club is read after the other, and its journal once, in its order and in chunks: time grows with the
ledger, memory hardly does.
Columns are read instead of objects. Nothing is repaired.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ledger.books.rescoring import Rescored, StoredTexts, score_again
from ledger.database.connecting import Connected
from ledger.database.json import SPOILED
from ledger.runtime.jobs import in_order, without_collector
from ledger.services.audit import (
    bounds,
    contents,
    definitions,
    directory,
    ownership,
    rows,
    salvage,
    settings,
)
from ledger.services.audit.entries import Entries
from ledger.services.audit.hands import Hands
from ledger.services.audit.integrity import Integrity, Remark
from ledger.services.audit.lookups import (
    Chunk,
    Difference,
    Lookups,
    chunks,
    club_names,
    entry_count,
    stored_texts,
)
from ledger.services.audit.signatures import ClubSignatures, Head, Outside, Signatures
from ledger.services.audit.tallies import Sums
from ledger.words.problems import Unreachable

__all__ = ["Difference", "Head", "Outside", "differences", "verify"]

SHORT = 10_000
"""The most entries of a journal that is scored without further processes, as starting them takes longer."""

Scored = tuple[Chunk, list[Rescored]]
"""A chunk of a journal, with the engine's answers for its hands."""

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
    try:
        with without_collector(), db.one_moment() as connection:
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
    books = Lookups(connection, 0, "The books")
    failures = (*_FAILURES, connection.dialect.loaded_dbapi.Error)
    audit = _Audit(books, Signatures(outside or Outside()), failures)
    try:
        if replaced := bounds.replaced_tables(connection):
            definitions.check(books)
            yield from (*books.drain(), *replaced)
            return
        yield from audit.differences(progress, jobs)
    except failures as error:
        # Data of a wrong type that no check has caught: report at least how the reading ended.
        yield from books.drain()
        yield _unreadable(error)
        remark = None
    if bounds.exceeded(connection):
        message = "reading takes far longer than its size allows; the rest was not read"
        yield Difference("The books", "the file", message)
    if remark is not None:
        for sentence in audit.signatures.remarks():
            remark(sentence)


_FAILURES = (*SPOILED, *salvage.UNREADABLE, ArithmeticError, AssertionError, DBAPIError)
"""The exceptions a check can raise if the data was changed by hand or a page is damaged."""


def _unreadable(error: BaseException, place: str = "beyond this") -> Difference:
    return Difference("The books", place, f"they can't be read on ({error!r})")


@dataclass(frozen=True, slots=True)
class _Audit:
    """All checks in their order, one club after the other; if one fails, the next one still runs.

    ``books`` collects the differences that belong to no club.
    """

    books: Lookups
    signatures: Signatures
    failures: tuple[type[BaseException], ...]

    def differences(self, progress: Progress | None, jobs: int) -> Iterator[Difference]:
        """Yield the differences of each club in turn, and of tables and signatures that all clubs share."""
        books, connection = self.books, self.books.connection
        clubs = club_names(connection)
        total, checked = entry_count(connection), 0
        self._run(books, "definitions", definitions.check, books)
        self._run(books, "columns", contents.check_books, books)
        self._run(books, "names and keys", directory.check_books, books, clubs)
        yield from self._drain(books)
        scored = _scored(connection, clubs, jobs if total > SHORT else 1)
        for club_id, journal in groupby(scored, lambda pair: pair[0].club_id):
            lookups = Lookups.load(connection, club_id, clubs[club_id])
            for number in self._check_club(lookups, journal):
                yield from self._drain(lookups)
                checked += number
                if progress is not None and number:
                    progress(checked, total)
            if bounds.exceeded(connection):
                break
        self.signatures.finish(books, clubs)
        yield from self._drain(books)

    def _check_club(self, lookups: Lookups, journal: Iterable[Scored]) -> Iterator[int]:
        """Check a club: yield the number of entries after each chunk of them, and 0 after everything else.

        A check that raises becomes a difference itself, and an unreadable journal ends at that place; the
        other checks still run. Few differences are in memory at a time.
        """
        run = partial(self._run, lookups)
        entries = Entries(lookups, ClubSignatures(lookups, self.signatures))
        sums = Sums(lookups)
        hands = Hands(lookups, sums)
        run("references", ownership.check, lookups)
        try:
            for chunk, answers in journal:
                run("entries", entries.check, chunk)
                run("hands", hands.check, chunk, answers)
                run("results", sums.check)
                yield len(chunk.entries)
        except self.failures as error:
            lookups.differences.append(_unreadable(error, "the journal"))
        other = entries.other
        run("accounts", entries.finish)
        run("hands", hands.finish, entries.reversed, other.pot_moves)
        row_counts = {"posting": entries.postings, "hand_version": hands.versions}
        run("what no entry has", ownership.check_rest, lookups, row_counts)
        run("sums", sums.finish, other.advanced, other.converted)
        journaled = other.closed, other.successors, other.won
        run("seats and sessions", rows.check, lookups, *journaled)
        run("settings", settings.check, lookups)
        run("names and keys", directory.check, lookups)
        run("the register", other.register.check)
        run("columns", contents.check, lookups)
        yield 0

    def _run(
        self, lookups: Lookups, name: str, check: Callable[..., object], *arguments: Any
    ) -> None:
        try:
            with salvage.savepoint(lookups.connection):
                check(*arguments)
        except self.failures as error:
            lookups.differences.append(_unreadable(error, name))

    def _drain(self, lookups: Lookups) -> Iterator[Difference]:
        yield from lookups.drain()
        for place, reason in salvage.drain(lookups.connection):
            yield Difference("The books", place, f"it can't be read ({reason})")


def _scored(connection: Connection, club_ids: Iterable[int], jobs: int) -> Iterator[Scored]:
    """Yield the chunks of each club's journal in order, one club after the other.

    Processes are spawned: a forked copy would share this process's connection.
    """
    pending: deque[Chunk] = deque()

    def batches() -> Iterator[list[StoredTexts]]:
        for chunk in chain.from_iterable(chunks(connection, club_id) for club_id in club_ids):
            pending.append(chunk)
            yield list(map(stored_texts, chunk.all_versions))

    for answers in in_order(score_again, batches(), jobs, start="spawn"):
        yield pending.popleft(), answers
