"""The example club's year: its players, and each evening with its game, house rules and incidents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import cycle, islice
from typing import Any

CLUB = "The Crooked Table"
PASSCODE = "crooked"
KEEPER = "Aunt Hedwig"
"""The player who comes every evening and enters everything."""

MOVED_AWAY, NEWCOMER, CHANGED_AFTER = "Captain Zwieback", "Nneka", 13
"""A player who comes to the first evenings only, one who comes to the others, and the evening between."""

STAYED_SHORT = {MOVED_AWAY, NEWCOMER}

PLAYERS = (
    KEEPER,
    "Björn",
    MOVED_AWAY,
    "Esperanza",
    "Fizz",
    "Grandpa Otto",
    "Ludmiła",
    "Mo",
    "Professor Pumpernickel",
    "花子",
    NEWCOMER,
)
BETWEEN_EVENINGS = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class DemoEvening:
    """One evening: the start of its session, the number of hands, and the incidents after some of them.

    An incident is the name of a method of ``club._Club`` without its underscore, and its arguments.
    """

    title: str
    game: str
    variant: str | None
    options: Mapping[str, Any]
    seats: int
    stack: int
    hands: int
    incidents: Mapping[int, Sequence[tuple[Any, ...]]] = field(default_factory=dict)


_POTS = {"pots": {"stake": 2, "on_loss": "match"}}
_OWN_TARIFF = ("six-bid", "hoyle", {"idle_paid_on_loss": False})

_PROGRAMME = (
    DemoEvening(
        "At Hedwig's", "crazy-solo", None, {}, 7, 300, 18,
        {6: [("lend", 200)], 11: [("correct",)], 15: [("repay", 100)]},
    ),
    DemoEvening(
        "Six-Bid at Björn's", "six-bid", "pagat", {}, 4, 200, 14,
        {5: [("join",)], 9: [("void", 3)]},
    ),
    DemoEvening(
        "The long table", "crazy-solo", None, {"rounding": 0}, 8, 500, 16,
        {4: [("sit_out", KEEPER)], 7: [("come_back", KEEPER)], 12: [("leave", KEEPER)]},
    ),
    DemoEvening(
        "Three left over", "frog", None, {"grand_multiplier": 4}, 3, 200, 12,
        {8: [("correct",), ("undo",)]},
    ),
    DemoEvening(
        "Pots and more pots", "progressive", "hoyle", _POTS, 4, 400, 15,
        {7: [("lend", 100)], 10: [("void", 5), ("restore", 5)], 15: [("share_pots",)]},
    ),
    DemoEvening("German evening", "german-solo", "altenburg", {"solo_base": 2}, 4, 0, 16),
    DemoEvening(
        "Five on the balcony", "crazy-solo", None, {}, 5, 2000, 14,
        {9: [("correct",)], 14: [("count",)]},
    ),
    DemoEvening(
        "Six-Bid, Hoyle's way", "six-bid", "hoyle", {"auction": "rotation"}, 5, 200, 16,
        {8: [("change_rules", *_OWN_TARIFF)]},
    ),
    DemoEvening("Otto brings cake", "progressive", "pennycook", {}, 5, 300, 12, {6: [("void", 2)]}),
)  # fmt: skip
"""The evenings of some months, which the year repeats."""

_LAST = DemoEvening(
    "Hedwig's birthday", "crazy-solo", None, {}, 7, 300, 11,
    {5: [("lend", 200)], 8: [("correct",)]},
)  # fmt: skip
"""The last evening; it is still open, so that its next hand can be recorded."""

EVENINGS = (*islice(cycle(_PROGRAMME), 26), _LAST)

HALF = 14
"""The first evening of the second half of the year."""

SEASON: Mapping[str, Any] = {
    "name": "The year",
    "method": "ranks",
    "least_evenings": 5,
    "tie_breaks": ["wins", "evenings"],
    "prize": "The winner's portrait above Hedwig's stove",
}
FIRST_HALF: Mapping[str, Any] = {"name": "First half", "prize": "A marble cake"}
"""Two seasons without their days."""
