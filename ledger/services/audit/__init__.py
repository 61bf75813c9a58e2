"""Recomputing the books: every verdict, entry, balance, digest and sum, told apart from what is written.

One pass over the journal in the order it was written, in chunks, so that the time grows with the books
and the memory hardly does. Columns are read, not objects; nothing is repaired.
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
from ledger.services.audit.lookups import Chunk, Difference, Shelf, as_kept, chunks, count
from ledger.services.audit.signatures import Head, Outside
from ledger.services.audit.tallies import Sums
from ledger.words.problems import Unreachable

__all__ = ["Difference", "Head", "Outside", "differences", "verify"]

SHORT = 10_000
"""Books of so few entries are scored before another process has begun."""

Progress = Callable[[int, int], None]
"""Told how many entries are done, and how many there are."""


def verify(
    db: Connected,
    progress: Progress | None = None,
    jobs: int = 1,
    outside: Outside | None = None,
    remark: Remark | None = None,
) -> Iterator[Difference]:
    """Yield every difference between what the books of all clubs say and what they come to.

    Reads them as they are at one moment. ``jobs`` processes score the hands; with one, or for short
    books, this process does it. ``outside`` is what is known of them from elsewhere; what is so without
    being wrong is told to ``remark``.
    """
    integrity = Integrity(db)
    swept = gc.isenabled()
    gc.disable()  # what is read has no cycles, and there is so much of it that looking for them takes long
    try:
        with db.one_moment() as connection:
            yield from differences(connection, progress, jobs, outside, remark)
        yield from integrity.found()
        for said in integrity.remarks if remark else ():
            if remark is not None:
                remark(said)
    except (Unreachable, UnicodeDecodeError) as error:
        if not db.is_sqlite:
            yield from integrity.found()
            raise
        # A file that is so damaged that nothing of it can be read; a server would only be gone.
        yield Difference("The books", "the file", str(getattr(error, "why", error)))
    finally:
        if swept:
            gc.enable()


def differences(
    connection: Connection,
    progress: Progress | None = None,
    jobs: int = 1,
    outside: Outside | None = None,
    remark: Remark | None = None,
) -> Iterator[Difference]:
    """Yield every difference, as this transaction sees the books; none if all is well."""
    shelf, broken = Shelf({}), (*_BROKEN, connection.dialect.loaded_dbapi.Error)
    try:
        if replaced := bounds.replaced_tables(connection):
            definitions.check(connection, shelf)
            yield from (*shelf.told(), *replaced)
            return
        shelf = Shelf.load(connection)
        audit = _Audit(connection, shelf, Entries(shelf, outside or Outside()), broken)
        yield from audit.differences(progress, jobs)
    except broken as error:
        # Somebody put a thing where another kind of thing belongs; what it is stands here at last.
        yield from shelf.told()
        yield _beyond(error)
        remark = None
    if bounds.exceeded(connection):
        message = "reading takes far longer than its size allows; the rest was not read"
        yield Difference("The books", "the file", message)
    for said in audit.entries.signatures.remarks() if remark else ():
        if remark is not None:
            remark(said)


_BROKEN = (*SPOILED, *salvage.UNREADABLE, ArithmeticError, AssertionError, DBAPIError)
"""What a check can end in where somebody changed things by hand, or a page is damaged."""


def _beyond(error: BaseException, what: str = "beyond this") -> Difference:
    return Difference("The books", what, f"they can't be read on ({error!r})")


@dataclass(frozen=True, slots=True)
class _Audit:
    """All checks, one after another; where one can't go on, the next one does."""

    connection: Connection
    shelf: Shelf
    entries: Entries
    broken: tuple[type[BaseException], ...]

    def differences(self, progress: Progress | None, jobs: int) -> Iterator[Difference]:
        """Yield differences as they are found, so that what is noted at a time stays short."""
        connection, shelf, entries = self.connection, self.shelf, self.entries
        sums = Sums(shelf)
        hands = Hands(shelf, sums)
        total, done = count(connection), 0
        self._step("definitions", definitions.check, connection, shelf)
        self._step("references", ownership.check, connection, shelf)
        try:
            for chunk, answers in _scored(connection, jobs if total > SHORT else 1):
                self._step("entries", entries.check, connection, chunk)
                self._step("hands", hands.check, chunk, answers)
                self._step("results", sums.check, connection)
                yield from self._told()
                done += len(chunk.entries)
                if progress is not None:
                    progress(done, total)
        except self.broken as error:
            yield _beyond(error, "the journal")
        other = entries.other
        self._step("accounts", entries.finish)
        self._step("hands", hands.finish, connection, entries.reversed, other.apart)
        read = {"posting": entries.postings, "hand_version": hands.versions}
        self._step("what no entry has", ownership.left_over, connection, shelf, read)
        self._step("sums", sums.finish, connection, other.advanced, other.converted)
        told = other.closed, other.successors, other.won
        self._step("seats and sessions", rows.check, connection, shelf, *told)
        self._step("settings", settings.check, connection, shelf)
        self._step("the register", other.register.check, connection)
        self._step("columns", contents.check, connection, shelf)
        yield from self._told()

    def _step(self, what: str, check: Callable[..., object], *given: Any) -> None:
        try:
            with salvage.tried(self.connection):
                check(*given)
        except self.broken as error:
            self.shelf.noted.append(_beyond(error, what))

    def _told(self) -> Iterator[Difference]:
        yield from self.shelf.told()
        for what, why in salvage.told(self.connection):
            yield Difference("The books", what, f"it can't be read ({why})")


def _scored(connection: Connection, jobs: int) -> Iterator[tuple[Chunk, list[Rescored]]]:
    """Give the journal in chunks, in its order, each with what the engine answers to its hands.

    Processes begin afresh: a copy of this one would hold its connection as well.
    """
    asked: deque[Chunk] = deque()

    def kept() -> Iterator[list[StoredTexts]]:
        for chunk in chunks(connection):
            asked.append(chunk)
            yield list(map(as_kept, chunk.every_version))

    for answers in in_order(score_again, kept(), jobs, start="spawn"):
        yield asked.popleft(), answers
