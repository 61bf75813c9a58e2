"""What clubs and sessions are set to, by the same checks that setting it goes through."""

from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import Connection

from engine import games
from engine.errors import Refused
from ledger.problems import Invalid
from ledger.services.audit.lookups import Difference, Shelf
from ledger.services.audit.raw import SPOILED, columns, document, rows
from ledger.services.chips import bank
from ledger.services.money import convert
from ledger.services.money import currency as money_currency
from ledger.services.session.view import Rate

_OF_A_SESSION = ("game", "variant", "options", "starting_stack", "rate_chips", "rate_money")


def check(connection: Connection, shelf: Shelf) -> Iterator[Difference]:
    """Yield each setting that the next hand, count or conversion would stumble over."""
    currencies = {}
    clubs = columns("club", "id", "currency", "denominations")
    for club_id, currencies[club_id], chips in rows(connection, clubs):
        if not _passes(_check_denominations, chips):
            yield shelf.differs(club_id, "its settings", f"nobody can count in chips of {chips}")
    sessions = columns("play_session", "id", "club_id", *_OF_A_SESSION)
    for session_id, club_id, *game, stack, chips, worth in rows(connection, sessions):
        place = f"session {session_id}"
        if not _passes(_check_game, *game):
            yield shelf.differs(club_id, place, f"{game[0]} can't be played as it is set there")
        if not _passes(bank.check_stack, stack):
            yield shelf.differs(club_id, place, f"nobody can start with {stack} chips")
        if not _passes(_check_rate, chips, worth, currencies.get(club_id)):
            yield shelf.differs(club_id, place, f"{chips} chips to {worth} is not a rate")


def _passes(check: Callable[..., object], *values: object) -> bool:
    """Whether a check raises nothing."""
    try:
        check(*values)
    except (Invalid, Refused, *SPOILED):
        return False
    return True


def _check_denominations(kept: Any) -> None:
    money_currency.check_denominations(document(kept))


def _check_rate(chips: Any, worth: Any, currency: Any) -> None:
    if (chips, worth) != (None, None):
        convert.check_rate(Rate(chips, worth), currency)


def _check_game(game: Any, variant: Any, options: Any) -> None:
    """Raise ``ValueError`` unless some number of players can play a game as it is set."""
    sheet, chosen = games.find(game), document(options)
    for seats in sheet.seats:
        try:
            sheet.rules(variant, chosen, seats)
        except Refused:
            continue
        return
    raise ValueError(f"no number of players can play {game} by these rules")
