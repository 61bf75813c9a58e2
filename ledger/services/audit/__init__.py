"""Recomputing the books: every verdict, entry, balance, digest and sum, told apart from what is written.

One pass over the journal in the order it was written, in chunks, so that the time grows with the books
and the memory hardly does. Columns are read, not objects; nothing is repaired.
"""

import gc
from collections import deque
from collections.abc import Callable, Iterator

from sqlalchemy import Connection

from ledger.db import Database
from ledger.jobs import in_order
from ledger.json_text import SPOILED
from ledger.services.audit import ownership, rows, settings, triggers
from ledger.services.audit.entries import Entries
from ledger.services.audit.hands import Hands
from ledger.services.audit.integrity import Integrity
from ledger.services.audit.lookups import CHUNK, Chunk, Difference, Shelf, as_kept, chunks, count
from ledger.services.audit.opening import Remark
from ledger.services.audit.signatures import Head, Outside
from ledger.services.audit.tallies import Sums
from ledger.services.hands.again import Answer, score_again

__all__ = ["Difference", "Head", "Outside", "differences", "verify"]

Progress = Callable[[int, int], None]
"""Told how many entries are done, and how many there are."""


def verify(
    db: Database,
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
        with db.read() as session:
            connection = session.connection()
            yield from differences(connection, progress, jobs, outside, remark)
            yield from integrity.found(connection)
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
    shelf = Shelf({})
    try:
        shelf = Shelf.load(connection)
        entries = Entries(shelf, outside or Outside())
        yield from _differences(connection, shelf, entries, progress, jobs)
        if remark is not None:
            for said in entries.signatures.remarks():
                remark(said)
    except SPOILED as error:
        # Somebody put a thing where another kind of thing belongs; what it is stands here at last.
        yield from shelf.told()
        yield Difference("The books", "beyond this", f"they can't be read on ({error!r})")


def _differences(
    connection: Connection,
    shelf: Shelf,
    entries: Entries,
    progress: Progress | None,
    jobs: int,
) -> Iterator[Difference]:
    """Yield differences as they are found, so that what is noted at a time stays short."""
    sums = Sums(shelf)
    hands = Hands(shelf, sums)
    total, done = count(connection), 0
    ownership.check(connection, shelf)
    for chunk, answers in _scored(connection, jobs if total > CHUNK else 1):
        entries.check(connection, chunk)
        hands.check(chunk, answers)
        sums.check(connection)
        yield from shelf.told()
        done += len(chunk.entries)
        if progress is not None:
            progress(done, total)
    entries.finish()
    hands.finish(connection, entries.reversed, entries.other.apart)
    sums.finish(connection, entries.other.advanced, entries.other.converted)
    rows.check(connection, shelf, entries.other.closed, entries.other.successors)
    settings.check(connection, shelf)
    entries.other.register.check(connection)
    triggers.check(connection, shelf)
    yield from shelf.told()


def _scored(connection: Connection, jobs: int) -> Iterator[tuple[Chunk, list[Answer]]]:
    """Give the journal in chunks, in its order, each with what the engine answers to its hands.

    Processes begin afresh: a copy of this one would hold its connection as well.
    """
    asked: deque[Chunk] = deque()

    def kept() -> Iterator[list[tuple[str, str]]]:
        for chunk in chunks(connection):
            asked.append(chunk)
            yield list(map(as_kept, chunk.every_version))

    for answers in in_order(score_again, kept(), jobs, start="spawn"):
        yield asked.popleft(), answers
