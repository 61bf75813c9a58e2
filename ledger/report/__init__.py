"""The session summary on paper: one frozen value in, one PDF out."""

from datetime import datetime

from ledger.services.summary import SessionSummary


def render(summary: SessionSummary, *, printed_at: datetime) -> bytes:
    """Return the summary of a session as a PDF on A4; see ``ledger.report.document``.

    Fonts and typesetter are loaded with the first report: a service that prints none starts sooner and
    keeps their memory.
    """
    from ledger.report.document import render as render_now

    return render_now(summary, printed_at=printed_at)
