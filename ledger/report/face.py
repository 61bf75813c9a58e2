"""An embedded TrueType face whose text reads back right.

reportlab gives each drawn character a code and tells readers, in a ToUnicode table, which text that
code stands for. Its own table breaks for characters past U+FFFF (emoji, playing cards) and cannot
know the text behind a ligature. This face writes the table itself, and lends glyphs that have no
character of their own a private one.
"""

from typing import Any

from reportlab.pdfbase.pdfdoc import PDFDocument
from reportlab.pdfbase.ttfonts import SUBSETN, TTFont

GLYPH_BASE = 0xF0000
"""Glyphs without a character are drawn as code points from here on (the private-use planes)."""

_MOST_GLYPHS = 0x10000
"""A face has no more glyphs: each has one code of its own, and the codes above are shared."""

_CODES_END = 0x110000

_SILENT = "\u200b"


class Face(TTFont):
    """A reportlab TrueType font with full Unicode read-back and access to its bare glyphs."""

    def __init__(self, name: str, filename: str) -> None:
        super().__init__(name, filename, shapable=False)
        self.glyph_text: dict[int, str] = {}
        self._readings: dict[tuple[int, str], int] = {}
        self._free = iter(range(GLYPH_BASE + _MOST_GLYPHS, _CODES_END))

    def glyph_of(self, code: int) -> int:
        """Return the number of the glyph for a code point, 0 where there is none."""
        glyph: int = self.face.charToGlyph.get(code, 0)
        return glyph if code < GLYPH_BASE else 0

    def holds(self, text: str) -> bool:
        """Tell whether every character of the text has a glyph here."""
        return all(map(self.glyph_of, map(ord, text)))

    def characters_of(self, glyph: int) -> list[int]:
        """Return the code points that draw a glyph, in the font's order."""
        face: Any = self.face
        return list(face.glyphToChar.get(glyph, ()))

    def width_of(self, code: int) -> int:
        """Return a character's advance in thousandths of an em."""
        width: int = self.face.charWidths.get(code, self.face.defaultWidth)
        return width

    def lend(self, glyph: int, width: int, text: str) -> int:
        """Return a code point that draws the glyph; `text` is what it reads back as.

        A glyph may read back differently in different company. Its first text has the glyph's own
        code, each other text one of those that all glyphs share; once they are gone, in a process that
        has printed tens of thousands of odd names, the glyph reads back as its first text. It is drawn
        right all the same. Codes never show in the file, so equal reports keep equal bytes whatever
        was printed before them.
        """
        text = text or _SILENT
        code = GLYPH_BASE + glyph
        if self.glyph_text.setdefault(code, text) != text:
            known = self._readings.get((glyph, text))
            if known is None and (known := next(self._free, None)) is not None:
                self.glyph_text[known] = text
                self._readings[glyph, text] = known
            code = known or code
        self.face.charWidths[code] = width
        self.face.charToGlyph[code] = glyph
        return code

    def addObjects(self, doc: PDFDocument) -> None:  # noqa: N802 (reportlab's name)
        """Write the font's objects, then put the full ToUnicode tables in place."""
        subsets = [list(subset) for subset in self.state[doc].subsets]
        super().addObjects(doc)
        for number, subset in enumerate(subsets):
            base = b"".join((SUBSETN(number), b"+", self.face.name, self.face.subfontNameX))
            key = "toUnicodeCMap:" + base.decode("pdfdoc")
            stream: Any = doc.idToObject[key]
            stream.content = self._to_unicode(subset)

    def _to_unicode(self, subset: list[int]) -> str:
        """Return the table from the subset's byte codes to UTF-16 text."""
        rows = [f"<{at:02X}> <{self._text(code)}>" for at, code in enumerate(subset)]
        # A bfchar section holds at most 100 lines (PDF 32000-1, 9.10.3).
        parts = [rows[at : at + 100] for at in range(0, len(rows), 100)]
        body = "\n".join(
            f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in parts
        )
        return (
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
            "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
            "1 begincodespacerange\n<00> <FF>\nendcodespacerange\n"
            f"{body}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
        )

    def _text(self, code: int) -> str:
        """Return a code's text in UTF-16, in hexadecimal."""
        return self.glyph_text.get(code, chr(code)).encode("utf-16-be").hex().upper()
