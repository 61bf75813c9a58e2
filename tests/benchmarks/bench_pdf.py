"""The session PDF against a bare reportlab table of the same rows.

Run: python -m tests.benchmarks.bench_pdf
Prints, for 100 and 1,000 hands at seven players, the time of each and their ratio (aim: at most 2).
"""

import gc
from collections.abc import Callable
from io import BytesIO
from time import perf_counter

from reportlab.lib.pagesizes import A4, landscape
from reportlab.platypus import SimpleDocTemplate, Table, TableStyle

from ledger.report import fonts, render
from ledger.report.column_widths import COLUMNS
from ledger.report.figures import signed
from ledger.services.reads.summary import SessionSummary
from tests.ledger.report.evenings import PRINTED_AT, evening


def bare(summary: SessionSummary) -> bytes:
    """Return a PDF with nothing but the table of hands, as reportlab sets one by itself."""
    heads = [*(column.head for column in COLUMNS), *summary.seats]
    rows = [
        [*(column.words(hand) for column in COLUMNS), *map(signed, hand.deltas)]
        for hand in summary.hands
    ]
    table = Table([heads, *rows], repeatRows=1)
    table.setStyle(TableStyle([("FONT", (0, 0), (-1, -1), fonts.REGULAR, 7)]))
    out = BytesIO()
    SimpleDocTemplate(out, pagesize=landscape(A4)).build([table])
    return out.getvalue()


def best(work: Callable[[], object], times: int) -> float:
    """Return the fewest seconds a piece of work took in several runs."""
    took = []
    for _ in range(times):
        gc.collect()
        start = perf_counter()
        work()
        took.append(perf_counter() - start)
    return min(took)


def main() -> None:
    """Print the figures."""
    fonts.face(fonts.REGULAR)
    for hands, times in ((100, 7), (1000, 3)):
        summary = evening(hands=hands)
        ours = best(lambda: render(summary, printed_at=PRINTED_AT), times)  # noqa: B023
        theirs = best(lambda: bare(summary), times)  # noqa: B023
        print(
            f"{hands:>5} hands: {ours * 1000:7.1f} ms, bare table {theirs * 1000:7.1f} ms, "
            f"ratio {ours / theirs:.2f}"
        )


if __name__ == "__main__":
    main()
