"""What verifying keeps while it reads: a few rows per seat, and nothing per hand."""

import tracemalloc

from ledger.access import Access
from ledger.db import Database
from ledger.services.audit import verify
from tests.benchmarks.filling import Filler, found

FIRST, MORE, MOST_BYTES = 2_100, 4_000, 400
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
    """What is held is a piece of the journal, and of every seat what it comes to."""
    Filler(database, club).fill(FIRST)
    before = peak(database)
    Filler(database, found(database, "Those who play more")).fill(MORE)
    assert (peak(database) - before) / MORE < MOST_BYTES
