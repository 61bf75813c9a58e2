"""Twelve players are told apart by colour, and without colours by their marks."""

from collections.abc import Sequence
from itertools import combinations
from math import copysign, dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.words.player_marks import MANY, PLAYER_COLOURS, Corners, at_table, is_again, least_used
from tests.player_styles import SHEET, style_sheet

Colour = tuple[float, float, float]

SIMULATED: dict[str, Sequence[Colour]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)
    ),
}  # fmt: skip
"""The matrices of Machado, Oliveira and Fernandes (2009) for the loss of one kind of cone, in linear RGB."""

LEAST = {"light": (0.15, 0.07), "dark": (0.1, 0.045)}
"""The least distance in OKLab of two colours, for everybody and for readers without one kind of cone.

0.02 is about the least that people notice side by side. Twelve colours that must also be dark or light enough
for text can't all be much further apart without one kind of cone, so marks tell them apart, too.
"""

GROUNDS = {"light": ("#f3eee1", "#ffffff"), "dark": ("#121613", "#1a211d", "#1f4535")}


def linear(colour: str) -> Colour:
    """Return a colour's linear red, green and blue."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))

    def light(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return light(red), light(green), light(blue)


def product(matrix: Sequence[Colour], colour: Colour) -> Colour:
    """Return the product of a matrix and a colour."""
    first, second, third = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return first, second, third


def seen_as(matrix: Sequence[Colour], colour: Colour) -> Colour:
    """Return a colour as it is simulated on a screen, which shows nothing below 0 or above 1."""
    red, green, blue = (min(max(part, 0.0), 1.0) for part in product(matrix, colour))
    return red, green, blue


def oklab(colour: Colour) -> Colour:
    """Return the coordinates in OKLab of a colour in linear RGB."""
    to_cones = (
        (0.4122214708, 0.5363325363, 0.0514459929),
        (0.2119034982, 0.6806995451, 0.1073969566),
        (0.0883024619, 0.2817188376, 0.6299787005),
    )
    to_lab = (
        (0.2104542553, 0.7936177850, -0.0040720468),
        (1.9779984951, -2.4285922050, 0.4505937099),
        (0.0259040371, 0.7827717662, -0.8086757660),
    )
    long, middle, short = (
        copysign(abs(cone) ** (1 / 3), cone) for cone in product(to_cones, colour)
    )
    return product(to_lab, (long, middle, short))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    weights = ((0.2126, 0.7152, 0.0722),) * 3
    low, high = sorted(product(weights, linear(colour))[0] for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("sight", SIMULATED)
@pytest.mark.parametrize("theme", LEAST)
def test_all_twelve_colours_differ_also_without_one_kind_of_cone(theme: str, sight: str) -> None:
    """Each pair of them has a least distance; how far apart two colours are, is a matter of sight."""
    seen = [
        oklab(seen_as(SIMULATED[sight], linear(getattr(colour, theme))))
        for colour in PLAYER_COLOURS
    ]
    least = LEAST[theme][sight != "all cones"]
    assert min(dist(one, other) for one, other in combinations(seen, 2)) >= least


@pytest.mark.parametrize("theme", GROUNDS)
def test_a_colour_has_the_contrast_that_text_needs(theme: str) -> None:
    """Initials are written in it, and on it."""
    for colour in PLAYER_COLOURS:
        for ground in GROUNDS[theme]:
            assert contrast(getattr(colour, theme), ground) >= 4.5, (colour, ground)


def covered(corners: Corners) -> frozenset[tuple[int, int]]:
    """Return the pixels of a mark that is drawn about 40 pixels wide."""
    return frozenset(
        (x, y)
        for x in range(-24, 25)
        for y in range(-24, 25)
        if inside(x / 20 + 1e-4, y / 20 + 1e-4, corners)
    )


def inside(x: float, y: float, corners: Corners) -> bool:
    """Return whether a point is inside a polygon."""
    crossed = False
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (x2 - x1) * (y - y1) / (y2 - y1):
            crossed = not crossed
    return crossed


def test_all_twelve_marks_differ_without_any_colour() -> None:
    """Two marks on top of each other share four fifths of their area at most: those of disc and square do."""
    shapes = [covered(colour.corners) for colour in PLAYER_COLOURS]
    assert max(len(one & other) / len(one | other) for one, other in combinations(shapes, 2)) <= 0.8
    assert min(map(len, shapes)) >= 400
    assert len({colour.mark for colour in PLAYER_COLOURS}) == MANY


def test_the_style_sheet_has_these_colours_and_marks() -> None:
    """Nobody edits it by hand."""
    assert SHEET.read_text(encoding="utf-8") == style_sheet()


@given(st.lists(st.integers(0, MANY - 1), max_size=24))
def test_players_of_one_colour_differ_at_a_table(colours: list[int]) -> None:
    """Each has another number, of the same colour; the second one's mark is hollow."""
    numbers = at_table(colours)
    assert [number % MANY for number in numbers] == colours
    assert len(set(numbers)) == len(numbers)
    assert [is_again(number) for number in at_table([5, 5, 5])] == [False, True, False]


@given(st.lists(st.integers(0, MANY - 1)))
def test_a_new_player_gets_a_colour_that_no_other_is_rarer_than(colours: list[int]) -> None:
    """The first twelve players have twelve colours."""
    counts = [colours.count(colour) for colour in range(MANY)]
    assert counts[least_used(colours)] == min(counts)
