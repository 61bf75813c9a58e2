"""The PDF reports of a session, a hand, a period, a season and a player's money."""

from datetime import date, datetime

from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.database.scope import ScopedSession
from ledger.report.sheets import A4, PAPER_SIZES, PaperSize, paper_size_for
from ledger.runtime.files import safe_name
from ledger.services.club import clubs, players
from ledger.services.club import seasons as club_seasons
from ledger.services.money import statements
from ledger.services.reads import period_summary, seasons, sessions
from ledger.services.reads.hand_sheet import HandSheet
from ledger.services.reads.period_summary import PeriodSummary
from ledger.services.reads.summary import SessionSummary
from ledger.services.session.session_filter import SessionFilter, of_season
from ledger.services.session.view import SessionView
from ledger.words.translation import translate

__all__ = [
    "PAPER_SIZES",
    "PaperSize",
    "file_name",
    "paper_size_for",
    "period_file_name",
    "poster_pdf",
    "render",
    "render_hand",
    "render_period",
    "render_score_sheet",
    "season_pdf",
    "statement_pdf",
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


def render_period(
    summary: PeriodSummary, *, printed_at: datetime, paper_size: PaperSize = A4
) -> bytes:
    """Return the report of a club's period as a PDF; see ``ledger.report.period_report``."""
    from ledger.report.period_report import render_period as render_now

    return render_now(summary, printed_at=printed_at, paper_size=paper_size)


def period_file_name(summary: PeriodSummary) -> str:
    """Return the file name of a period's PDF: the club, the days and the game."""
    days = (summary.chosen.first_day, summary.chosen.last_day)
    words = [summary.club, *(f"{day}" for day in days if day), summary.chosen.game or ""]
    return safe_name(f"{' '.join(filter(None, words))}.pdf")


def file_name(session: SessionSummary | SessionView, document: Sentence | None = None) -> str:
    """Return the file name of a session's PDF: its title and day.

    A `document` other than the report is named after them, so that neither replaces the other.
    """
    words = [session.title, f"{session.started_on}", *([translate(document)] if document else [])]
    return safe_name(f"{' '.join(words)}.pdf")


def statement_pdf(
    session: ScopedSession,
    player_id: int,
    club: str,
    days: tuple[date | None, date | None],
    *,
    printed_at: datetime,
    paper_size: PaperSize = A4,
) -> tuple[bytes, str]:
    """Return a player's statement for the days as a PDF, with its file name. Raises ``NotFound``."""
    from ledger.report.days import Days
    from ledger.report.statement import render_statement

    period = Days(*days)
    statement = statements.of_period(session, player_id, *period.moments(printed_at.tzinfo))
    evenings, _ = sessions.of_player(session, player_id, SessionFilter(*days), limit=MOST_EVENINGS)
    pdf = render_statement(
        statement, evenings, club, period, printed_at=printed_at, paper_size=paper_size
    )
    title = say("Statement of {player}", player=statement.player)
    return pdf, safe_name(f"{translate(title)} {period.title}.pdf")


def season_pdf(
    session: ScopedSession, season_id: int, *, printed_at: datetime, paper_size: PaperSize = A4
) -> tuple[bytes, str]:
    """Return the report of a season as a PDF, with its file name. Raises ``NotFound``."""
    from ledger.report.season_report import render_season

    row = club_seasons.find(session, season_id)
    season = club_seasons.view(row)
    evenings = seasons.evenings_of(session, season)
    standings = seasons.of_season(session, row, evenings)
    summary = period_summary.of_period(session, of_season(season), evenings)
    pdf = render_season(standings, summary, printed_at=printed_at, paper_size=paper_size)
    return pdf, safe_name(f"{summary.club} {standings.season.name}.pdf")


def poster_pdf(
    session: ScopedSession, season_id: int, *, printed_at: datetime, paper_size: PaperSize = A4
) -> tuple[bytes, str]:
    """Return the poster of a season's winners as a PDF, with its file name.

    Raises ``NotFound``, and ``NoWinner`` before the season is closed.
    """
    from ledger.report.poster import render_poster

    standings = seasons.won(session, season_id)
    colours = {player.id: player.colour for player in players.everyone(session)}
    club = clubs.show(session).name
    pdf = render_poster(standings, club, colours, printed_at=printed_at, paper_size=paper_size)
    title = translate(say("Winner of {season}", season=standings.season.name))
    return pdf, safe_name(f"{title}.pdf")


MOST_EVENINGS = 5_000
"""The evenings of a report: more than a club plays in a lifetime."""
