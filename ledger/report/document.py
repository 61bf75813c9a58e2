"""The summary of a session as a PDF: a cover with the result, and the table of hands."""

from datetime import datetime

from ledger.report.blocks import Block, PdfPage
from ledger.report.cover import cover
from ledger.report.hands import hand_pages
from ledger.report.head_of_books import head_of_books
from ledger.report.pages import Footer, to_pdf
from ledger.report.sheets import A4, PaperSize
from ledger.services.reads.summary import SessionSummary
from ledger.words.numbers import day


def render(summary: SessionSummary, *, printed_at: datetime, paper_size: PaperSize = A4) -> bytes:
    """Return the summary of a session as a PDF.

    The first page shows the result, the others every hand, in landscape format for more than six players.
    Times are in the zone of `printed_at`; raises ``ValueError`` if it is naive. Equal arguments give equal
    bytes.
    """
    if printed_at.tzinfo is None:
        raise ValueError("printed_at must be an aware datetime, for it sets the report's time zone")
    pages = _pages(summary, printed_at, paper_size)
    footer = Footer((summary.club, summary.title), summary.started_on, printed_at)
    title = f"{summary.title}, {day(summary.started_on)}"
    return to_pdf(pages, title, summary.club, footer, summary.head)


def _pages(summary: SessionSummary, printed_at: datetime, paper_size: PaperSize) -> list[PdfPage]:
    """Return all pages; the head of the books is on the first one, or if it is full after the hands."""

    def last(paper_size: PaperSize) -> list[Block]:
        return list(head_of_books(summary.head, paper_size)) if summary.head else []

    first = cover(summary, printed_at, paper_size, last(paper_size))
    if len(first) > 1 and (hands := hand_pages(summary, printed_at, paper_size, last)):
        return [*cover(summary, printed_at, paper_size), *hands]
    return [*first, *hand_pages(summary, printed_at, paper_size)]
