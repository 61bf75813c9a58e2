"""Statistics: a player's page, and who paid whom over all evenings."""

from collections.abc import Callable, Sequence
from datetime import date

from flask.typing import ResponseReturnValue

from engine.games import GAMES
from engine.rules.sheet import CHIPS, SCORE
from ledger.services.club import players
from ledger.services.money import payments
from ledger.services.reads import club_statistics as reads_club_statistics
from ledger.services.reads import head_to_head as reads_head_to_head
from ledger.services.reads import statistics
from ledger.services.reads.statistics import ContractRecord
from ledger.web.frame import live
from ledger.web.frame.chart import Chart
from ledger.web.frame.context import CLUB, ID, Here, shows
from ledger.web.frame.forms import new_key
from ledger.words.numbers import change, money, number

_SHOWN = 5
"""How many of a ranking a page shows before it is unfolded."""


@shows(f"{CLUB}/players/<{ID}:player_id>", of_books=True)
def player(here: Here, player_id: int) -> ResponseReturnValue:
    """Show how a player has done: hands, bids by contract, best and worst, chips and money over time."""
    found = statistics.of_player(here.session, player_id)
    up = payments.settle_up(here.session)
    return here.page(
        "player.html",
        found=found,
        games=GAMES,
        bid_title=bid_title,
        charts={
            CHIPS: _chart(
                [
                    (each.total, each.won, each.started_on)
                    for each in found.evenings
                    if each.unit == CHIPS
                ]
            ),
            SCORE: _chart(
                [
                    (each.total_scored, each.scored, each.started_on)
                    for each in found.evenings
                    if each.in_scores
                ]
            ),
        },
        money=_chart(
            [(move.balance, move.amount, move.occurred_at.date()) for move in found.money],
            lambda value: money(value, up.currency),
        ),
        change=change,
        in_money=lambda value: f"{money(value, up.currency)} {up.currency}",
        most=statistics.LATEST,
        owed=next((owed.balance for owed in up.balances if owed.player == found.name), 0),
        currency=up.currency,
        key=new_key(),
    )


def _chart(
    steps: Sequence[tuple[int, int, date]], written: Callable[[int], str] = number
) -> Chart | None:
    """Draw steps, newest first, each told by what it came to, what it moved, and when."""
    if not steps:
        return None
    came_to, moved, _ = steps[-1]
    totals, _, days = zip(*reversed(steps), strict=True)
    return Chart.of(totals, came_to - moved, days, written)


@shows(f"{CLUB}/statistics", of_books=True)
def club_statistics(here: Here) -> ResponseReturnValue:
    """Show who won most, what was played and how often it was made, the best and worst hand."""
    number = live.standing(here)
    if live.is_known(number):
        return "", 204
    found = reads_club_statistics.of_club(here.session)
    return here.page("statistics.html", number=number, found=found, shown=_SHOWN)


@shows(f"{CLUB}/head-to-head", of_books=True)
def head_to_head(here: Here) -> ResponseReturnValue:
    """Show what every two players got of each other."""
    pairs = reads_head_to_head.head_to_head(here.session)
    net = {(pair.player, pair.other): pair for pair in pairs}
    names = [p.name for p in players.everyone(here.session)]
    played = [name for name in names if any(name in pair for pair in net)]
    return here.page("head_to_head.html", names=played, pairs=net)


def bid_title(contract: ContractRecord) -> str:
    """Name a contract as its game does; by its slug where no rules of today know it."""
    sheet = GAMES.get(contract.game)
    if sheet is not None:
        variants: list[str | None] = [variant.slug for variant in sheet.variants]
        for variant in variants or [None]:
            found = sheet.rules(variant, {}, sheet.seats[0]).by_slug.get(contract.bid)
            if found is not None:
                return found.title
    return contract.bid.replace("-", " ").capitalize()
