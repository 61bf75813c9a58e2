"""A year's statistics in a club of one year and in one of a hundred: the same evenings are read.

The year has 40 evenings of four hands; head to head adds up the payments of its hands. The statistics of
all evenings, from stored sums, are measured beside them.
"""

import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from ledger.books.transactions import Database
from ledger.database.scope import ScopedSession
from ledger.keeping import migrate
from ledger.report import render_period
from ledger.services.audit import verify
from ledger.services.reads import club_statistics, head_to_head, ratings, records, statistics
from ledger.services.reads.period_summary import of_period
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter
from tests.benchmarks.filling import Filler, found
from tests.benchmarks.rows import Row
from tests.ledger.table import ask

A_YEAR, ALL, HANDS = 40, 4_000, 4
LOOKS = 5
PRINTED_AT = datetime(2026, 1, 1, tzinfo=UTC)
TARGET = 1 / 1.2


class YearBooks:
    """A club with a number of evenings, one a day, and the last 40 of them as its year."""

    def __init__(self, folder: Path, evenings: int) -> None:
        self.database = Database(f"sqlite:///{folder / f'{evenings}.sqlite'}")
        migrate.upgrade(self.database)
        self.access = found(self.database, "Club of many years")
        filler = Filler(self.database, self.access)
        filler.fill_evenings([HANDS] * evenings)
        last = filler.day_of(evenings - 1)
        self.year = SessionFilter(filler.day_of(evenings - A_YEAR), last)

    def look(self, query: Callable[..., Any], *arguments: Any) -> float:
        """Return the best processor time of a query, in milliseconds."""
        act = partial(ask, self.database, self.access, query, *arguments)
        return min(self._seconds(act) for _ in range(LOOKS)) * 1000

    @staticmethod
    def _seconds(act: Callable[[], object]) -> float:
        began = process_time()
        act()
        return process_time() - began


def _report(session: ScopedSession, chosen: SessionFilter) -> bytes:
    """Return the PDF of a period."""
    return render_period(of_period(session, chosen), printed_at=PRINTED_AT)


def rows() -> Iterator[Row]:
    """Yield all measurements."""
    with tempfile.TemporaryDirectory() as place:
        small, large = (YearBooks(Path(place), evenings) for evenings in (A_YEAR, ALL))
        assert not list(verify(small.database))
        for label, query, before in (
            ("standings", club_statistics.of_club, ()),
            ("head to head", head_to_head.head_to_head, ()),
            ("a player's statistics", statistics.of_player, (1,)),
            ("records", records.of_club, ()),
            ("ratings", ratings.of_club, ()),
            ("the report", _report, ()),
        ):
            for period, chosens in (
                ("a year", (small.year, large.year)),
                ("all evenings", (EVERY_SESSION, EVERY_SESSION)),
            ):
                few, many = (
                    books.look(query, *before, chosen)
                    for books, chosen in zip((small, large), chosens, strict=True)
                )
                name = f"{label} of {period}: {ALL:,} evenings, relative to {A_YEAR}"
                yield Row(name, f"{many:.2f} ms", f"{few:.2f} ms", few / many, TARGET)
