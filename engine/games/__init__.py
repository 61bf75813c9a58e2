"""The games, a rule sheet each, by their slugs."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.errors import Refused, Violation, join, show
from engine.games.crazy_solo import CRAZY_SOLO
from engine.games.frog import FROG, STRAIGHT_SOLO
from engine.games.german_solo import GERMAN_SOLO
from engine.games.progressive import PROGRESSIVE
from engine.games.six_bid import SIX_BID
from engine.rules.sheet import Sheet

GAMES: Mapping[str, Sheet] = MappingProxyType(
    {
        sheet.slug: sheet
        for sheet in (CRAZY_SOLO, SIX_BID, FROG, PROGRESSIVE, GERMAN_SOLO, STRAIGHT_SOLO)
    }
)


def find(slug: str) -> Sheet:
    """Find the sheet of a game; `Refused` when there is none of that slug."""
    sheet = GAMES.get(slug)
    if sheet is None:
        legal = tuple(GAMES)
        message = f"There is no game {show(slug)}; the games are {join(legal)}."
        raise Refused([Violation("unknown-game", message, {"field": "game"}, legal)])
    return sheet
