"""The PDF document: a cover with the result, the table of hands, and a footer on each page."""

from datetime import datetime

from engine.words.sentences import say
from ledger.report.blocks import Block, PdfPage
from ledger.report.characters import isolate
from ledger.report.cover import cover
from ledger.report.figures import moment
from ledger.report.hands import hand_pages
from ledger.report.head_of_books import head_of_books
from ledger.report.paper import FAINT, RULE, Paper
from ledger.report.sheets import A4, FOOT, MARGIN, PaperSize
from ledger.report.text import fit, line
from ledger.runtime.clock import zone_of
from ledger.services.reads.summary import SessionSummary
from ledger.words.numbers import day
from ledger.words.translation import translate


def render(summary: SessionSummary, *, printed_at: datetime, sheet: PaperSize = A4) -> bytes:
    """Return the summary of a session as a PDF.

    The first page shows the result, the others every hand, in landscape format for more than six players.
    Times are in the zone of `printed_at`; raises ``ValueError`` if it is naive. Equal arguments give equal
    bytes.
    """
    if printed_at.tzinfo is None:
        raise ValueError("printed_at must be an aware datetime, for it sets the report's time zone")
    pages = _pages(summary, printed_at, sheet)
    paper = Paper(f"{summary.title}, {day(summary.started_on)}", summary.club, summary.head)
    for number, page in enumerate(pages, start=1):
        paper.begin(page.size)
        if page.mark:
            paper.mark(translate(page.mark))
        for y, block in page.blocks:
            block.draw(paper, y)
        _foot(paper, summary, printed_at, number, len(pages))
        paper.end()
    return paper.finish()


def _pages(summary: SessionSummary, printed_at: datetime, sheet: PaperSize) -> list[PdfPage]:
    """Return all pages; the head of the books is on the first one, or if it is full after the hands."""

    def last(paper: PaperSize) -> list[Block]:
        return list(head_of_books(summary.head, paper)) if summary.head else []

    first = cover(summary, printed_at, sheet, last(sheet))
    if len(first) > 1 and (hands := hand_pages(summary, printed_at, sheet, last)):
        return [*cover(summary, printed_at, sheet), *hands]
    return [*first, *hand_pages(summary, printed_at, sheet)]


def _foot(
    paper: Paper, summary: SessionSummary, printed_at: datetime, number: int, pages: int
) -> None:
    """Draw the footer: club, session, date, time of printing and page number."""
    right = paper.size[0] - MARGIN
    base = FOOT - 14
    paper.rule(MARGIN, base + 11, right, 0.35, RULE)
    at = moment(printed_at, printed_at)
    zone = zone_of(printed_at)
    page = translate(
        say(
            "Printed {at} ({zone})   ·   Page {page} of {pages}",
            at=at,
            zone=zone,
            page=number,
            pages=pages,
        )
    )
    room = right - MARGIN - 15 - line(page).width * 7
    words = f"{isolate(summary.club)}  ·  {isolate(summary.title)}  ·  {day(summary.started_on)}"
    paper.put(MARGIN, base, fit(words, room / 7), 7, FAINT)
    paper.write(right, base, page, 7, FAINT, align=1)
