"""What clubs and sessions are set to, by the same checks that setting it goes through."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

from engine import games
from engine.errors import Refused
from ledger.database.json import SPOILED
from ledger.services.audit.lookups import Shelf
from ledger.services.audit.raw import columns, document, rows
from ledger.services.common import stakes
from ledger.words.problems import Invalid


def check(connection: Connection, shelf: Shelf) -> None:
    """Note each setting that the next hand, count or conversion would stumble over."""
    currencies = {}
    clubs = columns("club", "id", "currency", "denominations")
    for club_id, currencies[club_id], chips in rows(connection, clubs):
        if not _passes(lambda kept: stakes.check_denominations(document(kept)), chips):
            shelf.note_at(club_id, "its settings", f"nobody can count in chips of {chips}")
    for row in shelf.sessions.values():
        stack, chips, worth = row.starting_stack, row.rate_chips, row.rate_money
        if not _passes(_check_game, row.game, row.variant, row.options):
            shelf.note(row, f"{row.game} can't be played as it is set there")
        if not _passes(stakes.check_stack, stack):
            shelf.note(row, f"nobody can start with {stack} chips")
        rate = chips, worth, currencies.get(row.club_id)
        if (chips, worth) != (None, None) and not _passes(stakes.check_rate, *rate):
            shelf.note(row, f"{chips} chips to {worth} is not a rate")


def _passes(check: Callable[..., object], *values: object) -> bool:
    """Whether a check raises nothing."""
    try:
        check(*values)
    except (Invalid, Refused, *SPOILED):
        return False
    return True


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
