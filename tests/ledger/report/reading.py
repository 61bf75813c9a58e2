"""Read a PDF back: its text, and the characters that its fonts really draw."""

from io import BytesIO
from typing import Any

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from pypdf import PdfReader


def pages(pdf: bytes) -> list[str]:
    """Return the text of each page."""
    return [page.extract_text() for page in PdfReader(BytesIO(pdf)).pages]


def text(pdf: bytes) -> str:
    """Return the text of all pages."""
    return "\n".join(pages(pdf))


def fonts(pdf: bytes) -> dict[str, Any]:
    """Return every font of the PDF by its name in the file."""
    results: dict[str, Any] = {}
    for page in PdfReader(BytesIO(pdf)).pages:
        resources: Any = page["/Resources"]
        for name, font in resources.get_object()["/Font"].get_object().items():
            results[name] = font.get_object()
    return results


def shown_codes(pdf: bytes) -> dict[str, set[int]]:
    """Return for each font the byte codes that pages show text with."""
    codes: dict[str, set[int]] = {}
    for page in PdfReader(BytesIO(pdf)).pages:
        contents: Any = page.get_contents()
        font = ""
        for operands, operator in contents.operations:
            if operator == b"Tf":
                font = operands[0]
            elif operator == b"Tj":
                shown = operands[0]
                raw = getattr(shown, "original_bytes", shown)
                codes.setdefault(font, set()).update(raw)
    return codes


def points_of_paths(pdf: bytes) -> int:
    """Count the points that lines on the first page run on to."""
    contents: Any = PdfReader(BytesIO(pdf)).pages[0].get_contents()
    return sum(operator == b"l" for _, operator in contents.operations)


def empty_glyphs(pdf: bytes) -> list[tuple[str, int]]:
    """Return each font and code shown on a page that draws the font's "missing" box.

    Checked in the fonts embedded in the PDF: the glyph with number 0 is the box.
    """
    results = []
    programs = fonts(pdf)
    for name, codes in shown_codes(pdf).items():
        data = programs[name]["/FontDescriptor"]["/FontFile2"].get_data()
        table = TTFont(BytesIO(data))["cmap"].tables[0].cmap
        order = TTFont(BytesIO(data)).getGlyphOrder()
        results += [(name, code) for code in codes if table.get(code, order[0]) == order[0]]
    return results
