"""The session PDF against a bare reportlab table of the same rows.

Run: python -m tests.benchmarks pdf
For 100 and 1,000 hands at seven players (target: at most the bare table's time).
"""

import gc
from collections.abc import Callable, Iterator
from io import BytesIO
from time import process_time

from reportlab.lib.pagesizes import A4, landscape
from reportlab.platypus import SimpleDocTemplate, Table, TableStyle

from ledger.report import fonts, render
from ledger.report.column_widths import columns
from ledger.report.figures import signed
from ledger.services.reads.summary import SessionSummary
from tests.benchmarks.rows import Row
from tests.ledger.report.evenings import PRINTED_AT, evening


def bare(summary: SessionSummary) -> bytes:
    """Return a PDF of only the table of hands, by reportlab's own layout."""
    heads = [*(column.head for column in columns(summary.bidder)), *summary.seats]
    rows = [
        [*(column.words(hand) for column in columns(summary.bidder)), *map(signed, hand.deltas)]
        for hand in summary.hands
    ]
    table = Table([heads, *rows], repeatRows=1)
    table.setStyle(TableStyle([("FONT", (0, 0), (-1, -1), fonts.REGULAR, 7)]))
    out = BytesIO()
    SimpleDocTemplate(out, pagesize=landscape(A4)).build([table])
    return out.getvalue()


def best(work: Callable[[], object], times: int) -> float:
    """Return the fewest seconds of several runs."""
    took = []
    for _ in range(times):
        gc.collect()
        start = process_time()
        work()
        took.append(process_time() - start)
    return min(took)


def rows() -> Iterator[Row]:
    """Yield both measurements, taken in turns."""
    fonts.face(fonts.REGULAR)
    for hands, times in ((100, 7), (1000, 3)):
        summary = evening(hands=hands)
        ours = best(lambda: render(summary, printed_at=PRINTED_AT), times)  # noqa: B023
        theirs = best(lambda: bare(summary), times)  # noqa: B023
        yield Row(
            f"the PDF of {hands:,} hands, relative to a bare reportlab table of the same rows",
            f"{ours * 1000:.0f} ms",
            f"{theirs * 1000:.0f} ms",
            theirs / ours,
            1,
        )
