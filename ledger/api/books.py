"""A session's standings, accounts, journal and settlement, and its PDF report."""

from operator import attrgetter
from typing import Any

from flask import Response, request

from engine.words.sentences import say
from ledger import report
from ledger.api.access import Read, reader
from ledger.api.blueprint import HAND, SESSION, Blueprint, Page
from ledger.api.schemas.books import AccountSchema, EntrySchema, SettlementSchema, StandingSchema
from ledger.api.schemas.lists import PDF, PaperQuery, ScoreSheetQuery
from ledger.http import downloads
from ledger.runtime.clock import local, now
from ledger.services.club import clubs
from ledger.services.reads import accounts, session
from ledger.services.reads.hand_sheet import hand_sheet
from ledger.services.reads.summary import SeatLine
from ledger.services.session.load import load

blueprint = Blueprint("books", __name__, "Everybody's balance, and every entry that led to it.")


@blueprint.reads(f"{SESSION}/standings", StandingSchema(many=True))
def show_standings(read: Read, session_id: int) -> list[SeatLine]:
    """Show the standings, best first."""
    return list(session.board(read.session, session_id).standings)


@blueprint.reads(f"{SESSION}/accounts", AccountSchema(many=True))
def list_accounts(read: Read, session_id: int) -> Any:
    """List a session's accounts, the seats' first, clockwise.

    Accounts in chips sum to zero. In money a session has only its till. The till is not 0 while some players
    were cashed out and others were not; the balance is then on the players' accounts in the club.
    """
    return accounts.books(read.session, session_id).accounts


@blueprint.reads(f"{SESSION}/entries", EntrySchema(many=True))
@blueprint.pages()
def list_entries(read: Read, page: Page, session_id: int) -> list[accounts.EntryView]:
    """List a session's journal, oldest entry first, each with its postings."""
    views, total = accounts.entries(read.session, session_id, **page.span, **page.query)
    return page.of(views, total, attrgetter("id"))


@blueprint.reads(f"{SESSION}/settlement", SettlementSchema)
def show_settlement(read: Read, session_id: int) -> accounts.SessionSettlement:
    """Show the fewest payments in chips that would leave everybody even now.

    Chips that were cashed in are not included: `GET /club/settlement` settles those.
    """
    return accounts.settlement(read.session, session_id)


@blueprint.reads(f"{SESSION}/report.pdf", PDF, let_in=reader, content_type="application/pdf")
@blueprint.accepts(PaperQuery, "query")
def print_report(read: Read, query: dict[str, Any], session_id: int) -> Response:
    """Return the session's report as a PDF: standings, a chart, every hand and the settlement."""
    evening = session.summary(read.session, session_id)
    paper_size = report.paper_size_for(query.get("paper"), request.accept_languages.best)
    pdf = report.render(evening, printed_at=local(now()), paper_size=paper_size)
    return downloads.pdf(pdf, report.file_name(evening))


@blueprint.reads(f"{HAND}/sheet.pdf", PDF, let_in=reader, content_type="application/pdf")
@blueprint.accepts(PaperQuery, "query")
def print_hand(read: Read, query: dict[str, Any], session_id: int, number: int) -> Response:
    """Return the sheet of a hand as a PDF: deal, auction, tricks and payout. 404 without its tricks."""
    view = load(read.session, session_id)
    pdf = report.render_hand(
        hand_sheet(read.session, view, number),
        view,
        clubs.show(read.session).name,
        printed_at=local(now()),
        paper_size=report.paper_size_for(query.get("paper"), request.accept_languages.best),
    )
    name = report.file_name(view, say("Hand {number}", number=number))
    return downloads.pdf(pdf, name)


@blueprint.reads(f"{SESSION}/score-sheet.pdf", PDF, let_in=reader, content_type="application/pdf")
@blueprint.accepts(ScoreSheetQuery, "query")
def print_score_sheet(read: Read, query: dict[str, Any], session_id: int) -> Response:
    """Return the session's score sheet as a PDF: everybody's total after each hand, or empty rows."""
    evening = session.summary(read.session, session_id)
    pdf = report.render_score_sheet(
        evening,
        printed_at=local(now()),
        paper_size=report.paper_size_for(query.get("paper"), request.accept_languages.best),
        blank=query.get("rows") == "blank",
    )
    return downloads.pdf(pdf, report.file_name(evening, say("Score sheet")))
