"""Lines of text in any script: cleaned, in visual order, split into runs by face.

A character that no face has is printed as its code point, `U+1F9FF`, never as an empty box.
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
"""Punctuation that can't begin a Japanese line."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line ready to draw: runs in visual order, `width` in ems."""

    runs: tuple[Run, ...]
    width: float


# Cached for the benchmark pdf: the names of a session are drawn hundreds of times.
@lru_cache(maxsize=8192)
def line(text: str, *, bold: bool = False) -> TextLine:
    """Return a text laid out on one line with left-to-right base direction; cached.

    A character that no face has is printed as its code point.
    """
    text = clean(text)
    name = fonts.BOLD if bold else fonts.REGULAR
    if fonts.face(name).has_glyphs(text) and not has_marks(text):
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
    """Yield the parts of a line in visual order, with whether each runs right to left."""
    part, backwards = "", False
    for char in visual:
        kind = unicodedata.bidirectional(char)
        # Marks and joiners have the direction of the adjacent letters.
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
    """Yield the longest pieces that one face can draw, with the face's name."""
    pending, font = "", ""
    for cluster in clusters(text):
        for face, piece in _faces(cluster, bold=bold):
            if pending and face != font:
                yield font, pending
                pending = ""
            pending, font = pending + piece, face
    if pending:
        yield font, pending


def _faces(cluster: str, *, bold: bool) -> tuple[tuple[str, str], ...]:
    """Return the faces and pieces of a cluster: one face for all of it, or one per character, or its code.

    There are none for a cluster that draws nothing.
    """
    drawn = "".join(char for char in cluster if not ignorable(char))
    if not drawn:
        return ()
    complete = [
        name
        for name in fonts.candidates(ord(drawn[0]), bold=bold)
        if fonts.face(name).has_glyphs(drawn)
    ]
    if complete:
        return ((complete[0], cluster if complete[0] in fonts.SHAPED else steerless(cluster)),)
    if len(drawn) > 1:
        return tuple(piece for char in drawn for piece in _faces(char, bold=bold))
    return ((fonts.BOLD if bold else fonts.REGULAR, f"U+{ord(drawn):04X}"),)


def fit(text: str, width: float, *, bold: bool = False) -> TextLine:
    """Return a text laid out within `width` ems, cut with … if it is longer."""
    laid = line(text, bold=bold)
    return laid if laid.width <= width else _cut(text, width, bold=bold)


def _cut(text: str, width: float, *, bold: bool) -> TextLine:
    """Return the longest beginning that fits with an ellipsis."""
    parts = clusters(clean(text))

    def beginning(count: int) -> TextLine:
        return line("".join(parts[:count]).rstrip() + ELLIPSIS, bold=bold)

    counts = range(1, len(parts) + 1)
    return beginning(bisect_right(counts, width, key=lambda count: beginning(count).width))


def wrap(text: str, width: float, *, bold: bool = False, most: int = 40) -> list[TextLine]:
    """Break a text into at most `most` lines of `width` ems, at spaces if possible.

    If there are more lines, the last one is cut with an ellipsis. An empty text is one empty line.
    """
    rows: list[str] = []
    pending = ""
    for word in clean(text).split():
        tried = f"{pending} {word}" if pending else word
        if line(tried, bold=bold).width <= width:
            pending = tried
            continue
        if pending:
            rows.append(pending)
        *full, pending = _broken(word, width, bold=bold)
        rows += full
    rows.append(pending)
    if len(rows) > most:
        rows = [*rows[: most - 1], " ".join(rows[most - 1 :])]
    return [fit(row, width, bold=bold) for row in rows]


def _broken(word: str, width: float, *, bold: bool) -> list[str]:
    """Break a word that may be wider than the column between characters.

    Punctuation that can't begin a line moves to the next line with the character before it.
    """
    pieces: list[str] = []
    pending: list[str] = []
    for cluster in clusters(word):
        if pending and line("".join(pending) + cluster, bold=bold).width > width:
            along = pending[-1:] if cluster in _NEVER_FIRST and len(pending) > 1 else []
            pieces.append("".join(pending[: len(pending) - len(along)]))
            pending = along
        pending.append(cluster)
    return [*pieces, "".join(pending)]
