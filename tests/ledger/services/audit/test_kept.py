"""The memory of verifying: a few rows per seat, and nothing per hand."""

import tracemalloc

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from tests.benchmarks.filling import Filler, found

HANDS, MORE, MOST_BYTES = 2_100, 2, 400
"""How much a further hand may take: what the seats of its evening do. Its row and versions take more."""


def peak(database: Database) -> int:
    """Verify books that are in order; return the most memory that it held at a time, in bytes."""
    assert list(verify(database)) == []  # the engine has worked out once all that it keeps
    tracemalloc.start()
    try:
        assert list(verify(database)) == []
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_books_of_more_hands_take_no_more_memory(database: Database, club: Access) -> None:
    """In memory are a piece of the journal, and the sums of every seat.

    Others are dealt the same hands, so that the engine stores no more of them either.
    """
    Filler(database, club).fill(HANDS)
    before = peak(database)
    for others in range(MORE):
        Filler(database, found(database, f"Others {others}")).fill(HANDS)
    assert (peak(database) - before) / (MORE * HANDS) < MOST_BYTES
