"""The private attributes of ReportLab that we use are still there, and still mean the same."""

from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from ledger.report.reportlab_internals import document_of, escaped, operators


def test_an_appended_operator_is_written_where_it_was_appended() -> None:
    """On a page: ``Canvas._code``; in a text: ``PDFTextObject._code``."""
    out = BytesIO()
    canvas = Canvas(out, pageCompression=0)
    operators(canvas).append("/Artifact BMC")
    text = canvas.beginText()
    operators(text).append("/P BMC")
    canvas.drawText(text)
    canvas.save()
    page = out.getvalue()
    assert -1 < page.index(b"/Artifact BMC") < page.index(b"/P BMC")


def test_a_canvas_gives_its_document_with_pages_and_catalog() -> None:
    """``Canvas._doc``."""
    canvas = Canvas(BytesIO())
    canvas.showPage()
    document = document_of(canvas)
    assert len(document.Pages.pages) == 1
    assert document.Catalog is not None


def test_parentheses_are_escaped() -> None:
    """``Canvas._escape``."""
    assert escaped(Canvas(BytesIO()), "a(b)") == r"a\(b\)"
