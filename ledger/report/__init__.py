"""The session summary on paper: one frozen value in, one PDF out."""

from datetime import datetime

from ledger.services.reads.summary import SessionSummary


def render(summary: SessionSummary, *, printed_at: datetime) -> bytes:
    """Return the summary of a session as a PDF on A4; see ``ledger.report.document``.

    Fonts and typesetter are loaded with the first report: a service that prints none starts sooner and
    keeps their memory.
    """
    from ledger.report.document import render as render_now

    return render_now(summary, printed_at=printed_at)


def file_name(summary: SessionSummary) -> str:
    """Return what the report's file is called: title and day, without what no file's name may hold."""
    name = f"{summary.title} {summary.started_on}.pdf"
    return "".join("-" if character in '/\\:*?"<>|' else character for character in name)
