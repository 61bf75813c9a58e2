"""Pages of statistics: a player's, the club's, and head to head."""

from collections.abc import Callable, Sequence
from datetime import date

from flask import request
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from engine.rules.sheet import CHIPS, SCORE
from ledger.http import downloads
from ledger.report import paper_size_for, period_file_name, render_period
from ledger.runtime.clock import local, now
from ledger.services.club import players
from ledger.services.reads import club_statistics as reads_club_statistics
from ledger.services.reads import head_to_head as reads_head_to_head
from ledger.services.reads import statistics
from ledger.services.reads.period_summary import of_period
from ledger.web.frame import live
from ledger.web.frame.chart import Chart
from ledger.web.frame.context import CLUB, ID, Here, shows
from ledger.web.frame.figures import number_of
from ledger.web.frame.forms import new_key
from ledger.web.frame.period import period_of
from ledger.words.numbers import change, money, number

_ORDERS = ("total", "average", "share")
"""The figures of a ``Standing`` that order a ranking."""

_VISIBLE_LINES = 3
"""The lines of a ranking shown before it is unfolded."""


@shows(f"{CLUB}/players/<{ID}:player_id>", of_books=True)
def player(here: Here, player_id: int) -> ResponseReturnValue:
    """Return a player's page: hands, contracts, best and worst evenings, and charts of chips and money.

    The URL may limit the hands to days and a game, and the evenings to days.
    Raises ``NotFound``.
    """
    period = period_of(here)
    stats = statistics.of_player(here.session, player_id, period.chosen)
    return here.page(
        "player.html",
        stats=stats,
        person=players.show(here.session, player_id),
        period=period,
        games=GAMES,
        bid_title=bid_title,
        charts={
            CHIPS: _chart(
                [
                    (evening.total, evening.won, evening.started_on)
                    for evening in stats.evenings
                    if evening.unit == CHIPS
                ]
            ),
            SCORE: _chart(
                [
                    (evening.total_scored, evening.scored, evening.started_on)
                    for evening in stats.evenings
                    if evening.in_scores
                ]
            ),
        },
        money=_chart(
            [(move.balance, move.amount, move.occurred_at.date()) for move in stats.money],
            lambda value: money(value, stats.currency),
        ),
        change=change,
        in_money=lambda value: f"{money(value, stats.currency)} {stats.currency}",
        most=statistics.LATEST,
        currency=stats.currency,
        key=new_key(),
    )


def _chart(
    steps: Sequence[tuple[int, int, date]], formatted: Callable[[int], str] = number
) -> Chart | None:
    """Return the chart of steps (total, change, day), newest first, or None if there are none."""
    if not steps:
        return None
    first_total, first_change, _ = steps[-1]
    totals, _, days = zip(*reversed(steps), strict=True)
    return Chart.of(totals, first_total - first_change, days, formatted)


@shows(f"{CLUB}/statistics", of_books=True)
def club_statistics(here: Here) -> ResponseReturnValue:
    """Return the club's statistics: winners, contracts, and the best and worst hand.

    ``by`` in the URL is the figure that orders the players: one of ``_ORDERS``, by default their total. The
    URL may limit the hands to days and a game.
    A request with the club's current ``number`` is answered 204.
    """
    number = live.standing(here)
    if live.is_known(number):
        return "", 204
    period = period_of(here)
    stats = reads_club_statistics.of_club(here.session, period.chosen)
    by = request.args.get("by", "")
    return here.page(
        "statistics.html",
        number=number,
        stats=stats,
        people={player.id: player for player in players.everyone(here.session)},
        period=period,
        games=GAMES,
        by=by if by in _ORDERS else _ORDERS[0],
        bid_title=bid_title,
        visible_lines=_VISIBLE_LINES,
    )


@shows(f"{CLUB}/report.pdf")
def period_pdf(here: Here) -> ResponseReturnValue:
    """Return the report of all evenings, or of the URL's days and game, as a PDF to download."""
    summary = of_period(here.session, period_of(here).chosen)
    paper_size = paper_size_for(request.args.get("paper"), request.accept_languages.best)
    pdf = render_period(summary, printed_at=local(now()), paper_size=paper_size)
    return downloads.pdf(pdf, period_file_name(summary), as_attachment=True)


@shows(f"{CLUB}/head-to-head", of_books=True)
def head_to_head(here: Here) -> ResponseReturnValue:
    """Return one player's totals against each of the others, best first, and the table of all players.

    ``player`` in the URL chooses the player; by default it is the one with the device's name, else the first.
    Players whom nobody paid and who paid nobody are left out. The URL may limit the hands to days and a game.
    """
    period = period_of(here)
    pairs = reads_head_to_head.head_to_head(here.session, period.chosen)
    paid = {pair.player for pair in pairs}
    people = [player for player in players.everyone(here.session) if player.name in paid]
    wanted, author = number_of(request.args.get("player")), here.access.author
    chosen = min(
        people, key=lambda player: (player.id != wanted, player.name != author), default=None
    )
    against = [pair for pair in pairs if chosen and pair.player == chosen.name]
    return here.page(
        "head_to_head.html",
        period=period,
        games=GAMES,
        people=people,
        ids={player.name: player.id for player in people},
        chosen=chosen,
        against=sorted(against, key=lambda pair: (-pair.net, pair.other)),
        pairs={(pair.player, pair.other): pair for pair in pairs},
        largest=max((abs(pair.net) for pair in pairs), default=0),
    )


def bid_title(game: str, bid: str) -> str:
    """Return a bid's title in the first variant that has it, else its slug as words."""
    sheet = GAMES.get(game)
    if sheet is not None:
        variants: list[str | None] = [variant.slug for variant in sheet.variants]
        for variant in variants or [None]:
            found = sheet.rules(variant, {}, sheet.seats[0]).by_slug.get(bid)
            if found is not None:
                return found.title
    return bid.replace("-", " ").capitalize()
