"""The pages of a report: their blocks, the outline, and the same footer on each."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from engine.words.sentences import say
from ledger.report.blocks import PdfPage
from ledger.report.characters import isolate
from ledger.report.figures import moment
from ledger.report.paper import FAINT, RULE, Paper
from ledger.report.sheets import FOOT, MARGIN
from ledger.report.text import fit, line
from ledger.runtime.clock import zone_of
from ledger.words.numbers import day
from ledger.words.translation import translate


@dataclass(frozen=True, slots=True)
class Footer:
    """The footer of a report: words such as the club's name, its day, and the time of printing."""

    words: tuple[str, ...]
    day: date
    printed_at: datetime


def to_pdf(
    pages: Sequence[PdfPage], title: str, author: str, footer: Footer, head: str | None = None
) -> bytes:
    """Return pages as a PDF with a title, an author and, if it is given, a head that `verify` finds."""
    paper = Paper(title, author, head)
    for number, page in enumerate(pages, start=1):
        paper.begin(page.size)
        if page.mark:
            paper.mark(translate(page.mark))
        for y, block in page.blocks:
            block.draw(paper, y)
        _foot(paper, footer, number, len(pages))
        paper.end()
    return paper.finish()


def _foot(paper: Paper, footer: Footer, number: int, pages: int) -> None:
    """Draw the footer: its words, the day, time of printing and page number."""
    right = paper.size[0] - MARGIN
    base = FOOT - 14
    paper.rule(MARGIN, base + 11, right, 0.35, RULE)
    at = moment(footer.printed_at, footer.printed_at)
    zone = zone_of(footer.printed_at)
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
    words = "  ·  ".join([*map(isolate, footer.words), day(footer.day)])
    paper.put(MARGIN, base, fit(words, room / 7), 7, FAINT)
    paper.write(right, base, page, 7, FAINT, align=1)
