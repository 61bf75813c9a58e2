"""Pages that list the evenings of a club and of a player."""

from flask import request
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from engine.rules.sheet import SCORE
from ledger.services.club import players
from ledger.services.money import currency
from ledger.services.reads import sessions as read
from ledger.web.frame import live
from ledger.web.frame.context import CLUB, ID, Here, shows
from ledger.web.frame.figures import page_of
from ledger.web.frame.period import period_of

A_PAGE = 12
"""The evenings listed on one page: two screens of a phone."""


@shows(f"{CLUB}/evenings", of_books=True)
def evenings(here: Here) -> ResponseReturnValue:
    """Return the list of the club's evenings, newest first, with players and results.

    The URL may limit them to days and a game, the last one played.
    A request with the club's current ``number`` is answered 204.
    """
    number = live.standing(here)
    if live.is_known(number):
        return "", 204
    page, period = page_of(request.args.get("page", "1")), period_of(here)
    chosen = period.chosen
    rows = read.of_club(here.session, chosen, offset=(page - 1) * A_PAGE, limit=A_PAGE)
    return here.page(
        "evenings.html",
        number=number,
        period=period,
        games=GAMES,
        evenings=rows,
        voids=read.void_hands(here.session, [evening.session_id for evening in rows]),
        scored=any(evening.unit == SCORE or evening.scores_apart for evening in rows),
        has_money=any(evening.came_to_money for evening in rows),
        page=page,
        more=chosen.count(here.session) > page * A_PAGE,
    )


@shows(f"{CLUB}/players/<{ID}:player_id>/evenings", of_books=True)
def own_evenings(here: Here, player_id: int) -> ResponseReturnValue:
    """Return the list of a player's evenings, newest first, with the running total. Raises ``NotFound``."""
    page = page_of(request.args.get("page", "1"))
    rows, count = read.of_player(here.session, player_id, offset=(page - 1) * A_PAGE, limit=A_PAGE)
    people = players.everyone(here.session)
    return here.page(
        "player_evenings.html",
        name=next(player.name for player in people if player.id == player_id),
        player_id=player_id,
        evenings=rows,
        count=count,
        currency=currency.show(here.session).currency,
        page=page,
        more=count > page * A_PAGE,
    )
