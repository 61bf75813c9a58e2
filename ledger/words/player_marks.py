"""The twelve colours of players, each with a mark that is drawn beside it.

The numbers 0 to 11 are stored with players. Twelve colours can't all be far apart for colour-blind readers or
in black and white, so no colour is shown without its mark or the player's name.
"""

from collections.abc import Mapping
from math import cos, pi, sin
from typing import NamedTuple

from engine.words.sentences import say

Corners = tuple[tuple[float, float], ...]
"""The corners of a mark around (0, 0), from −1 to 1; the second coordinate grows upwards."""


class PlayerColour(NamedTuple):
    """A colour on light pages and paper, on dark pages, and its mark."""

    light: str
    dark: str
    mark: str
    corners: Corners


def _ring(points: int, *radii: float) -> Corners:
    """Return the corners of a regular polygon, or of a star with alternating radii, from the top."""
    step = 2 * pi / points
    return tuple(
        (
            round(radii[at % len(radii)] * sin(at * step), 3),
            round(radii[at % len(radii)] * cos(at * step), 3),
        )
        for at in range(points)
    )


def _turned(corners: Corners) -> Corners:
    """Return the corners turned by a quarter."""
    return tuple((y, -x) for x, y in corners)


_PLUS: Corners = (
    (-0.35, -1), (0.35, -1), (0.35, -0.35), (1, -0.35), (1, 0.35), (0.35, 0.35), (0.35, 1),
    (-0.35, 1), (-0.35, 0.35), (-1, 0.35), (-1, -0.35), (-0.35, -0.35),
)  # fmt: skip
_CROSS: Corners = tuple((round((x + y) * 0.74, 3), round((y - x) * 0.74, 3)) for x, y in _PLUS)
_SQUARE: Corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_CHEVRON: Corners = ((-1, -0.75), (0, -0.1), (1, -0.75), (1, 0.2), (0, 0.85), (-1, 0.2))
_HOURGLASS: Corners = ((-0.95, -1), (0.95, -1), (0.2, 0), (0.95, 1), (-0.95, 1), (-0.2, 0))

PLAYER_COLOURS: tuple[PlayerColour, ...] = (
    PlayerColour("#0062ed", "#a4dfff", "disc", _ring(16, 1)),
    PlayerColour("#c53739", "#ff8a2b", "square", _SQUARE),
    PlayerColour("#007631", "#1dc893", "triangle", ((-1.05, -0.9), (1.05, -0.9), (0, 1))),
    PlayerColour("#ad36b4", "#e586ec", "diamond", ((0, -1.15), (0.8, 0), (0, 1.15), (-0.8, 0))),
    PlayerColour("#04202b", "#fffae9", "wedge", ((-1.05, 0.9), (1.05, 0.9), (0, -1))),
    PlayerColour("#694500", "#e4e343", "plus", _PLUS),
    PlayerColour("#5f01ad", "#cfb4ff", "star", _ring(10, 1.15, 0.48)),
    PlayerColour("#89004a", "#ff9299", "cross", _CROSS),
    PlayerColour("#014b5e", "#1eeed2", "hourglass", _HOURGLASS),
    PlayerColour("#666b7c", "#a5b6c2", "bow tie", _turned(_HOURGLASS)),
    PlayerColour("#530600", "#c4a66d", "bar", ((-1, -0.4), (1, -0.4), (1, 0.4), (-1, 0.4))),
    PlayerColour("#000089", "#80abff", "chevron", _CHEVRON),
)
"""The colours and marks by number; all colours are dark or light enough for text."""

MARK_WORDS: Mapping[str, str] = {
    "disc": say("disc"),
    "square": say("square"),
    "triangle": say("triangle"),
    "diamond": say("diamond"),
    "wedge": say("wedge"),
    "plus": say("plus"),
    "star": say("star"),
    "cross": say("cross"),
    "hourglass": say("hourglass"),
    "bow tie": say("bow tie"),
    "bar": say("bar"),
    "chevron": say("chevron"),
}
"""The words for marks."""

MANY = len(PLAYER_COLOURS)


def colour_of(player_id: int, chosen: int | None) -> int:
    """Return a player's colour; without a ``chosen`` one, that of their place in the order of entry."""
    return (player_id - 1) % MANY if chosen is None else chosen


def player_colour(number: int) -> PlayerColour:
    """Return a colour by its number; the colours repeat."""
    return PLAYER_COLOURS[number % MANY]


def is_again(number: int) -> bool:
    """Return whether a number is that of a second player with the same colour at a table.

    Their mark is hollow and their line dashed.
    """
    return number // MANY % 2 == 1


def at_table(colours: list[int]) -> list[int]:
    """Return each player's colour, plus 12 for every earlier player of the table with the same one.

    >>> at_table([3, 5, 3, 3])
    [3, 5, 15, 27]
    """
    return [colour + MANY * colours[:place].count(colour) for place, colour in enumerate(colours)]


def least_used(colours: list[int]) -> int:
    """Return the colour that the fewest players have, the first of several.

    >>> least_used([]), least_used([0, 1, 3]), least_used([*range(12), 0])
    (0, 2, 1)
    """
    return min(range(MANY), key=lambda colour: (colours.count(colour), colour))
