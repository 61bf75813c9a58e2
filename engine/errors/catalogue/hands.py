"""Hands that are well played, for the examples of the catalogue to spoil."""

from collections.abc import Mapping
from types import MappingProxyType

Hand = Mapping[str, object]

CRAZY: Hand = {
    "format": 1,
    "game": "crazy-solo",
    "players": ["Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus"],
    "dealer": "Gus",
    "contract": {"bidder": "Ann", "bid": "solo", "trump": "S", "called": "AH", "partner": "Bob"},
    "points": 74,
}
SIX: Hand = {
    "format": 1,
    "game": "six-bid",
    "players": ["Ann", "Bob", "Cyd", "Dee"],
    "dealer": "Dee",
    "contract": {"bidder": "Ann", "bid": "solo", "trump": "S"},
    "points": 74,
}
FROG: Hand = {
    "format": 1,
    "game": "progressive",
    "players": ["Ann", "Bob", "Cyd"],
    "dealer": "Cyd",
    "contract": {"bidder": "Ann", "bid": "frog"},
    "points": 74,
}
POTS: Hand = {
    **FROG,
    "options": {"pots": {"stake": 1}},
    "pots": {"frog": 4, "solo": 8},
}
FRAGE: Hand = {
    "format": 1,
    "game": "german-solo",
    "players": ["Ann", "Bob", "Cyd", "Dee"],
    "dealer": "Dee",
    "contract": {"bidder": "Ann", "bid": "frage", "trump": "D", "called": "AH", "partner": "Bob"},
    "tricks_won": 5,
    "first_tricks_won": False,
    "matadors": "split",
}
_CALLED_ACE: Hand = {
    "bidder": "Ann",
    "bid": "frage",
    "trump": "D",
    "called": "AH",
    "partner": "Bob",
}


def without(key: str, hand: Hand) -> dict[str, object]:
    """Leave a key out."""
    return {name: value for name, value in hand.items() if name != key}


def crazy(**changes: object) -> dict[str, object]:
    """Change keys of the crazy-solo hand."""
    return {**CRAZY, **changes}


def six(**changes: object) -> dict[str, object]:
    """Change keys of the six-bid hand."""
    return {**SIX, **changes}


def call(**contract: object) -> dict[str, object]:
    """Give the crazy-solo hand another contract."""
    return crazy(contract=contract)


def bid(**contract: object) -> dict[str, object]:
    """Give the six-bid hand another contract."""
    return six(contract=contract)


def frog(**contract: object) -> dict[str, object]:
    """Change keys of the frog's contract."""
    return {**FROG, "contract": {"bidder": "Ann", "bid": "frog", **contract}}


def frage(contract: Hand = MappingProxyType({}), **changes: object) -> dict[str, object]:
    """Change keys of the frage's contract and of its hand."""
    return {**FRAGE, "contract": {**_CALLED_ACE, **contract}, **changes}
