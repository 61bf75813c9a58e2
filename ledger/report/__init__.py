"""The PDF report of a session, rendered from its frozen summary."""

from datetime import datetime

from engine.words.language import Sentence
from ledger.report.sheets import A4, PAPER_SIZES, PaperSize, paper_size_for
from ledger.runtime.files import safe_name
from ledger.services.reads.hand_sheet import HandSheet
from ledger.services.reads.summary import SessionSummary
from ledger.services.session.view import SessionView
from ledger.words.translation import translate

__all__ = [
    "PAPER_SIZES",
    "PaperSize",
    "file_name",
    "paper_size_for",
    "render",
    "render_hand",
    "render_score_sheet",
]


def render(summary: SessionSummary, *, printed_at: datetime, paper_size: PaperSize = A4) -> bytes:
    """Return the summary of a session as a PDF; see ``ledger.report.document``.

    Fonts and reportlab are imported with the first report, which saves startup time and memory until then.
    """
    from ledger.report.document import render as render_now

    return render_now(summary, printed_at=printed_at, paper_size=paper_size)


def render_hand(
    sheet: HandSheet,
    view: SessionView,
    club: str,
    *,
    printed_at: datetime,
    paper_size: PaperSize = A4,
) -> bytes:
    """Return the sheet of a hand as a PDF; see ``ledger.report.hand_sheet``."""
    from ledger.report.hand_sheet import render_hand as render_now

    return render_now(sheet, view, club, printed_at=printed_at, paper_size=paper_size)


def render_score_sheet(
    summary: SessionSummary,
    *,
    printed_at: datetime,
    paper_size: PaperSize = A4,
    blank: bool = False,
) -> bytes:
    """Return the score sheet of a session as a PDF; see ``ledger.report.score_sheet``."""
    from ledger.report.score_sheet import render_score_sheet as render_now

    return render_now(summary, printed_at=printed_at, paper_size=paper_size, blank=blank)


def file_name(session: SessionSummary | SessionView, document: Sentence | None = None) -> str:
    """Return the file name of a session's PDF: its title and day.

    A `document` other than the report is named after them, so that neither replaces the other.
    """
    words = [session.title, f"{session.started_on}", *([translate(document)] if document else [])]
    return safe_name(f"{' '.join(words)}.pdf")
