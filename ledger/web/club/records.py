"""Pages of a club's records and of its rating lists."""

from dataclasses import replace

from flask import request
from flask.typing import ResponseReturnValue

from engine.games import GAMES
from ledger.services.club import players
from ledger.services.reads import ratings as reads_ratings
from ledger.services.reads import records
from ledger.web.frame.context import CLUB, Here, shows
from ledger.web.frame.figures import number_of
from ledger.web.frame.period import period_of


@shows(f"{CLUB}/records", of_books=True)
def club_records(here: Here) -> ResponseReturnValue:
    """Return the club's records, of everybody or of the ``player`` in the URL, by id.

    The URL may limit them to days and a game.
    """
    period, people = period_of(here), players.everyone(here.session)
    wanted = number_of(request.args.get("player"))
    chosen = next((player for player in people if player.id == wanted), None)
    only = replace(period.chosen, player=chosen.name if chosen else None)
    return here.page(
        "records.html",
        period=period,
        games=GAMES,
        people=people,
        chosen=chosen,
        place={"player": chosen.id} if chosen else {},
        records=records.of_club(here.session, only),
        words=records.RECORDS,
    )


@shows(f"{CLUB}/ratings", of_books=True)
def ratings(here: Here) -> ResponseReturnValue:
    """Return the rating list of each game. The URL may limit them to days and a game."""
    period = period_of(here)
    return here.page(
        "ratings.html",
        period=period,
        games=GAMES,
        lists=reads_ratings.of_club(here.session, period.chosen),
        most=reads_ratings.MOST_EVENINGS,
        settled=reads_ratings.SETTLED,
    )
