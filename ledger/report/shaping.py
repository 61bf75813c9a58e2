"""Runs of glyphs: text put together as its script demands, by HarfBuzz.

Arabic letters join, matras of Indian scripts move, emoji sequences melt into one picture. Positions
and widths are in ems, so a line is shaped once and drawn at any size.
"""

from dataclasses import dataclass
from functools import cache

import uharfbuzz  # type: ignore[import-untyped]

from ledger.report import fonts
from ledger.report.face import Face


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one face, drawn from (`x`, `y`) ems off the line's origin."""

    font: str
    text: str
    x: float
    y: float = 0.0


@cache
def _harfbuzz(name: str) -> uharfbuzz.Font:
    """Return HarfBuzz's view of a face."""
    path = fonts.face(name).face.filename
    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(path)))


def shape(name: str, text: str, x: float) -> tuple[list[Run], float]:
    """Set `text` (logical order, one direction) in a face from `x` on; return runs and end."""
    font = _harfbuzz(name)
    face = fonts.face(name)
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.flags = uharfbuzz.BufferFlags.REMOVE_DEFAULT_IGNORABLES
    uharfbuzz.shape(font, buffer, {"kern": False})
    units = font.face.upem
    infos, positions = buffer.glyph_infos, buffer.glyph_positions
    sources = _sources(text, [info.cluster for info in infos])
    runs: list[Run] = []
    pen, start, held = x, x, ""
    for info, position, source in zip(infos, positions, sources, strict=True):
        code = _code(
            face,
            info.codepoint,
            source,
            round(font.get_glyph_h_advance(info.codepoint) * 1000 / units),
        )
        moved = position.x_offset or position.y_offset
        if moved:
            if held:
                runs.append(Run(name, held, start))
            across, up = position.x_offset / units, position.y_offset / units
            runs.append(Run(name, chr(code), pen + across, up))
            held = ""
        elif not held:
            start, held = pen, chr(code)
        else:
            held += chr(code)
        pen += position.x_advance / units
        # Where the advance differs from the glyph's own width the next glyph starts a new run.
        if held and abs(position.x_advance / units - face.width_of(code) / 1000) > 0.002:
            runs.append(Run(name, held, start))
            held = ""
        elif not held:
            start = pen
    if held:
        runs.append(Run(name, held, start))
    return runs, pen


def _sources(text: str, clusters: list[int]) -> list[str]:
    """Return for each glyph the text it alone stands for, "" where several share a cluster."""
    starts = sorted(set(clusters))
    ends = dict(zip(starts, [*starts[1:], len(text)], strict=True))
    return [text[at : ends[at]] if clusters.count(at) == 1 else "" for at in clusters]


def _code(face: Face, glyph: int, source: str, width: int) -> int:
    """Return the code point that draws a glyph: its own character, or a private one."""
    if len(source) == 1 and face.glyph_of(ord(source)) == glyph:
        return ord(source)
    own = [each for each in face.characters_of(glyph) if each > 32]
    return own[0] if own else face.lend(glyph, width, source)
