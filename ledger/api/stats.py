"""Statistics of players and pairs, from sums that are updated with every hand."""

from dataclasses import asdict, replace
from operator import attrgetter

from flask import Response, request

from ledger import report
from ledger.api.access import Read, reader
from ledger.api.blueprint import SESSION, Blueprint, Json, Page
from ledger.api.schemas.lists import (
    PDF,
    ClubStatisticsQuery,
    DaysQuery,
    EveningsQuery,
    PeriodReportQuery,
    StatisticsQuery,
)
from ledger.api.schemas.stats import (
    ClubRecordSchema,
    ClubStatsSchema,
    EveningSchema,
    GameRatingsSchema,
    HighlightsSchema,
    OwnEveningSchema,
    PairSchema,
    PlayerStatsSchema,
)
from ledger.http import downloads
from ledger.runtime.clock import local, now
from ledger.services.reads import (
    club_statistics,
    head_to_head,
    ratings,
    records,
    result,
    statistics,
)
from ledger.services.reads import sessions as reads_sessions
from ledger.services.reads.period_summary import of_period
from ledger.services.session.session_filter import of_query

blueprint = Blueprint(
    "statistics", __name__, "How everybody plays, in one evening and over all of the club."
)


@blueprint.reads("/players/<id:player_id>/statistics", PlayerStatsSchema)
@blueprint.accepts(StatisticsQuery, "query")
def show_statistics(read: Read, query: Json, player_id: int) -> statistics.PlayerStats:
    """Show a player's statistics: hands, contracts, games, best and worst, evenings, money over time.

    `from` and `to` limit the hands and the evenings, `game` only the hands; running totals and money are
    always those of all evenings.
    """
    return statistics.of_player(read.session, player_id, of_query(read.session, query))


@blueprint.reads("/club/statistics", ClubStatsSchema)
@blueprint.accepts(ClubStatisticsQuery, "query")
def show_club_statistics(read: Read, query: Json) -> club_statistics.ClubStats:
    """Show the club's statistics: standings, contracts of each game, and the best and worst hand.

    Archived players are included.
    """
    return club_statistics.of_club(read.session, of_query(read.session, query))


@blueprint.reads("/club/records", ClubRecordSchema(many=True))
@blueprint.accepts(ClubStatisticsQuery, "query")
def show_records(read: Read, query: Json) -> list[records.ClubRecord]:
    """Show the club's records: the largest hands and evenings, the most wins and the longest series.

    With `player` the records of this player alone.
    """
    return records.of_club(read.session, of_query(read.session, query))


@blueprint.reads("/club/ratings", GameRatingsSchema(many=True))
@blueprint.accepts(ClubStatisticsQuery, "query")
def show_ratings(read: Read, query: Json) -> list[ratings.GameRatings]:
    """Show the rating list of each game: the strength of its players, estimated from their evenings.

    An evening is a match of all who played the game in it, ranked by what they won in its hands or, scored on
    paper, by its result. Only the latest 250 evenings of each game are rated.
    """
    return ratings.of_club(read.session, of_query(read.session, query))


@blueprint.reads("/club/report.pdf", PDF, let_in=reader, tag=None, content_type="application/pdf")
@blueprint.accepts(PeriodReportQuery, "query")
def print_period(read: Read, query: Json) -> Response:
    """Return the report of the club's evenings, or those of a period, as a PDF.

    It has the standings, games, records, who won from whom, and the newest 500 evenings.
    """
    paper_size = report.paper_size_for(query.pop("paper", None), request.accept_languages.best)
    summary = of_period(read.session, of_query(read.session, query))
    pdf = report.render_period(summary, printed_at=local(now()), paper_size=paper_size)
    return downloads.pdf(pdf, report.period_file_name(summary))


@blueprint.reads(f"{SESSION}/highlights", HighlightsSchema)
def show_highlights(read: Read, session_id: int) -> Json:
    """Show an evening's podium and feats, so far or at its end; null for those that nobody achieved."""
    evening = result.of_evening(read.session, session_id)
    return {**asdict(evening.highlights), "podium": evening.podium}


@blueprint.reads("/players/<id:player_id>/evenings", OwnEveningSchema(many=True))
@blueprint.pages(DaysQuery)
def list_own_evenings(read: Read, page: Page, player_id: int) -> list[reads_sessions.OwnEvening]:
    """List a player's evenings, newest first, each with the running total in its unit up to then."""
    chosen = replace(of_query(read.session, page.query), game=None)
    evenings, total = reads_sessions.of_player(read.session, player_id, chosen, **page.span)
    return page.of(evenings, total, attrgetter("session_id"))


@blueprint.reads("/evenings", EveningSchema(many=True))
@blueprint.pages(EveningsQuery)
def list_evenings(read: Read, page: Page) -> list[reads_sessions.Evening]:
    """List the club's evenings, newest first, with players, results and money."""
    chosen = of_query(read.session, page.query)
    evenings = reads_sessions.of_club(read.session, chosen, **page.span)
    return page.of(evenings, chosen.count(read.session), attrgetter("session_id"))


@blueprint.reads("/head-to-head", PairSchema(many=True))
@blueprint.accepts(ClubStatisticsQuery, "query")
def show_head_to_head(read: Read, query: Json) -> list[head_to_head.Pair]:
    """Show the totals that every two players paid each other, by name, from both sides.

    With `player` only from this player's side.
    """
    return head_to_head.head_to_head(read.session, of_query(read.session, query))
