"""An embedded TrueType face with a correct mapping from glyphs back to text.

reportlab gives each drawn character a code and writes a ToUnicode table from codes to text, which is used by
search and copy. That table is wrong for characters above U+FFFF (emoji, playing cards) and lacks the text of
ligatures. This face writes the table itself and gives private code points to glyphs without a character.
"""

from typing import Any

from reportlab.pdfbase.pdfdoc import PDFDocument
from reportlab.pdfbase.ttfonts import SUBSETN, TTFont

GLYPH_BASE = 0xF0000
"""The first private code point used for glyphs without a character (in the private-use planes)."""

_MOST_GLYPHS = 0x10000
"""The most glyphs of a face. Each has one code point of its own; those above are shared."""

_CODES_END = 0x110000

_SILENT = "\u200b"


class Face(TTFont):
    """A reportlab TrueType font with a complete ToUnicode table and access to single glyphs."""

    def __init__(self, name: str, filename: str) -> None:
        super().__init__(name, filename, shapable=False)
        self.glyph_text: dict[int, str] = {}
        self._readings: dict[tuple[int, str], int] = {}
        self._free = iter(range(GLYPH_BASE + _MOST_GLYPHS, _CODES_END))

    def glyph_of(self, code: int) -> int:
        """Return the glyph number of a code point, or 0."""
        glyph: int = self.face.charToGlyph.get(code, 0)
        return glyph if code < GLYPH_BASE else 0

    def has_glyphs(self, text: str) -> bool:
        """Return whether the face has a glyph for every character of the text."""
        return all(map(self.glyph_of, map(ord, text)))

    def characters_of(self, glyph: int) -> list[int]:
        """Return the code points of a glyph, in the font's order."""
        face: Any = self.face
        return list(face.glyphToChar.get(glyph, ()))

    def width_of(self, code: int) -> int:
        """Return a character's advance in thousandths of an em, or the face's default."""
        width: int = self.face.charWidths.get(code, self.face.defaultWidth)
        return width

    def lend(self, glyph: int, width: int, text: str) -> int:
        """Return a code point that from now on draws the glyph and maps back to `text`.

        A glyph may stand for different texts in different words. Its first text gets the glyph's own code
        point, each other text a shared one. If those run out, after tens of thousands of unusual names in one
        process, the glyph maps to its first text but is still drawn correctly. The code points do not occur
        in the file, so equal reports have equal bytes regardless of earlier ones.
        """
        text = text or _SILENT
        code = GLYPH_BASE + glyph
        if self.glyph_text.setdefault(code, text) != text:
            shared = self._readings.get((glyph, text))
            if shared is None and (shared := next(self._free, None)) is not None:
                self.glyph_text[shared] = text
                self._readings[glyph, text] = shared
            code = shared or code
        self.face.charWidths[code] = width
        self.face.charToGlyph[code] = glyph
        return code

    def addObjects(self, doc: PDFDocument) -> None:  # noqa: N802 (reportlab's name)
        """Write the font's objects and replace their ToUnicode tables by complete ones."""
        subsets = [list(subset) for subset in self.state[doc].subsets]
        super().addObjects(doc)
        for number, subset in enumerate(subsets):
            base = b"".join((SUBSETN(number), b"+", self.face.name, self.face.subfontNameX))
            key = "toUnicodeCMap:" + base.decode("pdfdoc")
            stream: Any = doc.idToObject[key]
            stream.content = self._to_unicode(subset)

    def _to_unicode(self, subset: list[int]) -> str:
        """Return the ToUnicode table of a subset: byte codes to UTF-16 text."""
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
        """Return a code point's text as hexadecimal UTF-16."""
        return self.glyph_text.get(code, chr(code)).encode("utf-16-be").hex().upper()
