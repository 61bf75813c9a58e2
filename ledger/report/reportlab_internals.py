"""The private attributes of ReportLab that tagged PDFs need: it has no public way to mark content.

A failure of ``test_reportlab_internals`` after an upgrade names the attribute.
"""

from typing import Any

from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.textobject import PDFTextObject


def operators(content: Canvas | PDFTextObject) -> list[str]:
    """Return the PDF operators of a page or text so far; what is appended is written in its place."""
    code: list[str] = content._code  # type: ignore[union-attr]
    return code


def document_of(canvas: Canvas) -> Any:
    """Return the PDF document that a canvas writes to: its catalog, its pages and its objects."""
    return canvas._doc  # type: ignore[attr-defined]


def escaped(canvas: Canvas, text: bytes | str) -> str:
    """Return text as it stands between the parentheses of a PDF string."""
    string: str = canvas._escape(text)  # type: ignore[attr-defined]
    return string
