"""Shaping of text into runs of glyphs by HarfBuzz.

Arabic letters join, matras of Indian scripts move, emoji sequences become one picture. Positions and widths
are in ems, so a line is shaped once and can be drawn at any size.
"""

from dataclasses import dataclass

import uharfbuzz  # type: ignore[import-untyped]

from ledger.report import fonts
from ledger.report.face import GLYPH_BASE, Face


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one face, drawn at (`x`, `y`) ems from the line's origin."""

    font: str
    text: str
    x: float
    y: float = 0.0


def _harfbuzz(name: str) -> uharfbuzz.Font:
    """Return the HarfBuzz font of a face."""
    path = fonts.face(name).face.filename
    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(path)))


def shape(name: str, text: str, x: float) -> tuple[list[Run], float]:
    """Return the runs of `text` (in logical order, one direction) in a face from `x` on, and their end.

    The face gets private code points for glyphs without a character.
    """
    font = _harfbuzz(name)
    face = fonts.face(name)
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.flags = uharfbuzz.BufferFlags.REMOVE_DEFAULT_IGNORABLES
    uharfbuzz.shape(font, buffer, {"kern": False})
    units = font.face.upem
    infos, positions = buffer.glyph_infos, buffer.glyph_positions
    own = [_own(face, info.codepoint, text[info.cluster]) for info in infos]
    sources = _sources(text, [info.cluster for info in infos], own)
    runs: list[Run] = []
    pen, start, pending = x, x, ""
    for info, position, char, source in zip(infos, positions, own, sources, strict=True):
        glyph = info.codepoint
        width = round(font.get_glyph_h_advance(glyph) * 1000 / units)
        code = char or face.lend(glyph, width, source)
        moved = position.x_offset or position.y_offset
        if moved:
            if pending:
                runs.append(Run(name, pending, start))
            across, up = position.x_offset / units, position.y_offset / units
            runs.append(Run(name, chr(code), pen + across, up))
            pending = ""
        elif not pending:
            start, pending = pen, chr(code)
        else:
            pending += chr(code)
        pen += position.x_advance / units
        # If the advance differs from the glyph's own width, the next glyph starts a new run.
        if pending and abs(position.x_advance / units - face.width_of(code) / 1000) > 0.002:
            runs.append(Run(name, pending, start))
            pending = ""
        elif not pending:
            start = pen
    if pending:
        runs.append(Run(name, pending, start))
    return runs, pen


def _own(face: Face, glyph: int, char: str) -> int:
    """Return a code point that alone draws the glyph, preferably `char`, or 0."""
    if face.glyph_of(ord(char)) == glyph:
        return ord(char)
    codes = [code for code in face.characters_of(glyph) if 32 < code < GLYPH_BASE]
    return codes[0] if codes else 0


def _sources(text: str, clusters: list[int], own: list[int]) -> list[str]:
    """Return the text that each glyph without a character should map back to.

    It is the part of its cluster not covered by glyphs with characters. If several glyphs of a cluster lack a
    character, the first one gets all of it.
    """
    starts = sorted(set(clusters))
    ends = dict(zip(starts, [*starts[1:], len(text)], strict=True))
    spare = {at: text[at : ends[at]] for at in starts}
    for at, code in zip(clusters, own, strict=True):
        if code:
            spare[at] = spare[at].replace(chr(code), "", 1)
    return ["" if code else spare.pop(at, "") for at, code in zip(clusters, own, strict=True)]
