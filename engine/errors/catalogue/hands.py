"""What the catalogue holds for each code, and hands that are well played, for its examples to spoil."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

Hand = Mapping[str, object]


class Code(NamedTuple):
    """What a code means, and a hand record (plain tables, or JSON text) refused with it."""

    meaning: str
    example: Hand | str


def hand(game: str, players: str, contract: Hand, **more: object) -> dict[str, object]:
    """Make a hand that the last player deals."""
    seats = players.split()
    return {
        "format": 1,
        "game": game,
        "players": seats,
        "dealer": seats[-1],
        "contract": contract,
        **more,
    }


_SOLO: Hand = {"bidder": "Ann", "bid": "solo", "trump": "S"}
_FROG: Hand = {"bidder": "Ann", "bid": "frog"}
_FRAGE: Hand = {"bidder": "Ann", "bid": "frage", "trump": "D", "called": "AH", "partner": "Bob"}

CRAZY = hand(
    "crazy-solo",
    "Ann Bob Cyd Dee Eve Fay Gus",
    {**_SOLO, "called": "AH", "partner": "Bob"},
    points=74,
)
SIX = hand("six-bid", "Ann Bob Cyd Dee", _SOLO, points=74)
FROG = hand("progressive", "Ann Bob Cyd", _FROG, points=74)
POTS: Hand = {**FROG, "options": {"pots": {"stake": 1}}, "pots": {"frog": 4, "solo": 8}}
FRAGE = hand(
    "german-solo",
    "Ann Bob Cyd Dee",
    _FRAGE,
    tricks_won=5,
    first_tricks_won=False,
    matadors="split",
)


def without(key: str, hand: Hand) -> dict[str, object]:
    """Leave a key out."""
    return {name: value for name, value in hand.items() if name != key}


crazy: Callable[..., dict[str, object]] = partial(dict, CRAZY)
"""Changes keys of the crazy-solo hand."""

six: Callable[..., dict[str, object]] = partial(dict, SIX)
"""Changes keys of the six-bid hand."""


def call(**contract: object) -> dict[str, object]:
    """Give the crazy-solo hand another contract."""
    return crazy(contract=contract)


def bid(**contract: object) -> dict[str, object]:
    """Give the six-bid hand another contract."""
    return six(contract=contract)


def frog(**contract: object) -> dict[str, object]:
    """Change keys of the frog's contract."""
    return {**FROG, "contract": {**_FROG, **contract}}


def frage(contract: Hand = MappingProxyType({}), **changes: object) -> dict[str, object]:
    """Change keys of the frage's contract and of its hand."""
    return {**FRAGE, "contract": {**_FRAGE, **contract}, **changes}
