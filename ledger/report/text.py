"""Lines of text in any script: cleaned, put in visual order, split by the faces that have them.

A character no face has is written as its code, `U+1F9FF`: never as an empty box.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bidi import get_display  # type: ignore[import-untyped]

from ledger.report import fonts
from ledger.report.characters import (
    clean,
    clusters,
    has_marks,
    ignorable,
    right_to_left,
    steerless,
    unfenced,
)
from ledger.report.shaping import Run, shape

ELLIPSIS = "…"
_NEVER_FIRST = frozenset("、。，．：；！？）」』】ー～…")
"""What no line of Japanese begins with."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line ready to draw: runs in visual order, `width` in ems."""

    runs: tuple[Run, ...]
    width: float


@lru_cache(maxsize=8192)
def line(text: str, *, bold: bool = False) -> TextLine:
    """Lay a text out on one line, left to right as a whole."""
    text = clean(text)
    name = fonts.BOLD if bold else fonts.REGULAR
    if fonts.face(name).holds(text) and not has_marks(text):
        return TextLine((Run(name, text, 0.0),), fonts.face(name).stringWidth(text, 1))
    if right_to_left(text):
        text = get_display(text, base_dir="L")
    runs: list[Run] = []
    end = 0.0
    for part, backwards in _directions(unfenced(text)):
        spans = list(_by_face(part[::-1] if backwards else part, bold=bold))
        for font, piece in reversed(spans) if backwards else spans:
            if font in fonts.SHAPED or has_marks(piece):
                more, end = shape(font, piece, end)
                runs += more
            else:
                runs.append(Run(font, piece, end))
                end += fonts.face(font).stringWidth(piece, 1)
    return TextLine(tuple(runs), end)


def _directions(visual: str) -> Iterator[tuple[str, bool]]:
    """Split a line in visual order into parts and whether each runs right to left."""
    part, backwards = "", False
    for char in visual:
        kind = unicodedata.bidirectional(char)
        # Marks and joiners go with the letters beside them.
        turned = (
            backwards if kind == "BN" or (kind == "NSM" and part) else kind in {"R", "AL", "NSM"}
        )
        if part and turned != backwards:
            yield part, backwards
            part = ""
        part, backwards = part + char, turned
    if part:
        yield part, backwards and right_to_left(part)


def _by_face(text: str, *, bold: bool) -> Iterator[tuple[str, str]]:
    """Split a text into the longest pieces one face can draw."""
    held, font = "", ""
    for cluster in clusters(text):
        for wanted, piece in _faces(cluster, bold=bold):
            if held and wanted != font:
                yield font, held
                held = ""
            held, font = held + piece, wanted
    if held:
        yield font, held


@lru_cache(maxsize=4096)
def _faces(cluster: str, *, bold: bool) -> tuple[tuple[str, str], ...]:
    """Return the face for a cluster: one that has all of it, or one each, or its code."""
    drawn = "".join(char for char in cluster if not ignorable(char))
    if not drawn:
        return ()
    whole = [
        name for name in fonts.candidates(ord(drawn[0]), bold=bold) if fonts.face(name).holds(drawn)
    ]
    if whole:
        return ((whole[0], cluster if whole[0] in fonts.SHAPED else steerless(cluster)),)
    if len(drawn) > 1:
        return tuple(each for char in drawn for each in _faces(char, bold=bold))
    return ((fonts.BOLD if bold else fonts.REGULAR, f"U+{ord(drawn):04X}"),)


def fit(text: str, width: float, *, bold: bool = False) -> TextLine:
    """Lay a text out within `width` ems, cut short with … where it is longer."""
    whole = line(text, bold=bold)
    return whole if whole.width <= width else _cut(text, width, bold=bold)


@lru_cache(maxsize=2048)
def _cut(text: str, width: float, *, bold: bool) -> TextLine:
    """Return the longest beginning that fits with an ellipsis behind it."""
    parts = clusters(clean(text))

    def beginning(count: int) -> TextLine:
        return line("".join(parts[:count]).rstrip() + ELLIPSIS, bold=bold)

    counts = range(1, len(parts) + 1)
    return beginning(bisect_right(counts, width, key=lambda count: beginning(count).width))


def wrap(text: str, width: float, *, bold: bool = False, most: int = 40) -> list[TextLine]:
    """Break a text into lines of at most `width` ems, at blanks where it has them.

    Never more than `most` lines: the last one is cut short with an ellipsis.
    """
    rows: list[str] = []
    held = ""
    for word in clean(text).split():
        tried = f"{held} {word}" if held else word
        if line(tried, bold=bold).width <= width:
            held = tried
            continue
        if held:
            rows.append(held)
        *full, held = _broken(word, width, bold=bold)
        rows += full
    rows.append(held)
    if len(rows) > most:
        rows = [*rows[: most - 1], " ".join(rows[most - 1 :])]
    return [fit(row, width, bold=bold) for row in rows]


def _broken(word: str, width: float, *, bold: bool) -> list[str]:
    """Break a word that may be wider than the column, between characters.

    A mark that begins no line takes the character before it along.
    """
    pieces: list[str] = []
    held: list[str] = []
    for cluster in clusters(word):
        if held and line("".join(held) + cluster, bold=bold).width > width:
            along = held[-1:] if cluster in _NEVER_FIRST and len(held) > 1 else []
            pieces.append("".join(held[: len(held) - len(along)]))
            held = along
        held.append(cluster)
    return [*pieces, "".join(held)]
