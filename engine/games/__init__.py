"""The rule sheets of the games, by slug."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.errors import Refused, Violation, show, suggest
from engine.games.crazy_solo import CRAZY_SOLO
from engine.games.frog import FROG, STRAIGHT_SOLO
from engine.games.german_solo import GERMAN_SOLO
from engine.games.progressive import PROGRESSIVE
from engine.games.six_bid import SIX_BID
from engine.rules.sheet import Sheet
from engine.words.sentences import say

GAMES: Mapping[str, Sheet] = MappingProxyType(
    {
        sheet.slug: sheet
        for sheet in (CRAZY_SOLO, SIX_BID, FROG, PROGRESSIVE, GERMAN_SOLO, STRAIGHT_SOLO)
    }
)


def find(slug: str) -> Sheet:
    """Return the sheet of the game with this slug. Raises `Refused` for an unknown one, with a suggestion."""
    sheet = GAMES.get(slug)
    if sheet is None:
        legal = tuple(GAMES)
        message = say(
            "There is no game {game}; the games are {games:and}.", game=show(slug), games=legal
        )
        message = suggest(message, slug, legal)
        raise Refused([Violation("unknown-game", message, {"field": "game"}, legal)])
    return sheet
