"""Check the settings of clubs, sessions and seasons by the same rules as when they are set."""

from collections.abc import Callable
from typing import Any

from engine import games
from engine.errors import Refused
from ledger.database.json import SPOILED
from ledger.database.kinds.seasons import ScoringMethod, TieBreak
from ledger.services.audit.lookups import Lookups
from ledger.services.audit.raw import columns, document
from ledger.services.common import stakes
from ledger.words.problems import Invalid

_CLUB = columns("club", "currency", "denominations", "confirm_from")
_FIGURES = ("id", "total", "evenings", "wins", "best", "amount")
"""The figures of a ``SeasonStanding``, without its name and place."""

_SEASONS = columns("season", "id", "game", "method", "tie_breaks", "closing")


def check(lookups: Lookups) -> None:
    """Note each setting with which the next hand, count or conversion, or a season's table, would fail."""
    clubs = lookups.fetch(_CLUB)
    for _, chips, confirm_from in clubs:
        if not _passes(lambda text: stakes.check_denominations(document(text)), chips):
            lookups.note_at("its settings", f"nobody can count in chips of {chips}")
        if not _passes(stakes.check_confirm_from, confirm_from):
            lookups.note_at("its settings", f"no hand can pay {confirm_from} to confirm")
    for row in lookups.sessions.values():
        stack, chips, money = row.starting_stack, row.rate_chips, row.rate_money
        if not _passes(_check_game, row.game, row.variant, row.options):
            lookups.note(row, f"{row.game} can't be played as it is set there")
        if not _passes(stakes.check_stack, stack):
            lookups.note(row, f"nobody can start with {stack} chips")
        rate = chips, money, clubs[0][0] if clubs else None
        if (chips, money) != (None, None) and not _passes(stakes.check_rate, *rate):
            lookups.note(row, f"{chips} chips to {money} is not a rate")
    for season_id, game, method, tie_breaks, closing in lookups.fetch(_SEASONS):
        place = f"season {season_id}"
        if game is not None and not _passes(games.find, game):
            lookups.note_at(place, f"there is no game called {game}")
        if not _passes(ScoringMethod, method):
            lookups.note_at(place, f"no season is scored by {method}")
        if not _passes(lambda text: [*map(TieBreak, document(text))], tie_breaks):
            lookups.note_at(place, f"ties can't be broken by {tie_breaks}")
        if not _passes(_check_closing, closing):
            lookups.note_at(place, "the table it was closed with is none")


def _passes(check: Callable[..., object], *values: object) -> bool:
    """Return whether a check accepts the values; false if it refuses them or can't read them."""
    try:
        check(*values)
    except (Invalid, Refused, *SPOILED):
        return False
    return True


def _check_game(game: Any, variant: Any, options: Any) -> None:
    """Raise ``ValueError`` unless some number of players can play a game by these rules.

    Raises ``Refused`` for an unknown game, and another of ``SPOILED`` for unreadable options.
    """
    sheet, chosen = games.find(game), document(options)
    for seats in sheet.seats:
        try:
            sheet.rules(variant, chosen, seats)
        except Refused:
            continue
        return
    raise ValueError(f"no number of players can play {game} by these rules")


def _check_closing(closing: Any) -> None:
    """Raise one of ``SPOILED`` for a closed season's table that can't be shown."""
    stored = document(closing)
    if stored is None:
        return
    lines = stored["standings"]
    numbers = [stored["evenings"], *(line["place"] or 0 for line in lines)]
    numbers += [line[name] for line in lines for name in _FIGURES]
    names = [line["name"] for line in lines]
    if {*map(type, numbers)} != {int} or not {*map(type, names)} <= {str}:
        raise ValueError("a number or a name is none")
    if any(len(line) != len(_FIGURES) + 2 for line in lines):
        raise ValueError("a standing has more than its figures")
