"""Read a PDF back: its text, and the characters that its fonts really draw."""

import re
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from pypdf import PdfReader
from pypdf.generic import IndirectObject


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


@dataclass
class Tag:
    """An element of the structure tree, with the text that belongs to it and not to an element below."""

    role: str
    kids: list["Tag"] = field(default_factory=list)
    text: str = ""
    alternative: str | None = None
    scope: str | None = None
    span: int = 1

    def all(self, role: str) -> list["Tag"]:
        """Return the elements of a role in reading order, this one included."""
        own = [self] if self.role == role else []
        return own + [tag for kid in self.kids for tag in kid.all(role)]

    @property
    def all_text(self) -> str:
        """The text of the element and all below it."""
        return self.text + "".join(kid.all_text for kid in self.kids)


def structure(pdf: bytes) -> Tag:
    """Return the structure tree, checked against its parent tree and the content of the pages."""
    document = PdfReader(BytesIO(pdf))
    trailer: Any = document.trailer
    root = trailer["/Root"]["/StructTreeRoot"]
    pages = {page.indirect_reference.idnum: page for page in document.pages}  # type: ignore[union-attr]
    places: dict[int, Any] = {number: page["/StructParents"] for number, page in pages.items()}
    marked = {number: marked_content(page) for number, page in pages.items()}
    numbers = root["/ParentTree"]["/Nums"]
    owners: dict[int, Any] = dict(zip(numbers[::2], numbers[1::2], strict=True))
    seen: set[tuple[int, int]] = set()

    def read(reference: Any, parent: int) -> Tag:
        element = reference.get_object()
        assert element.raw_get("/P").idnum == parent
        attributes = element.get("/A", {})
        scope = attributes.get("/Scope")
        tag = Tag(
            element["/S"][1:],
            alternative=element.get("/Alt"),
            scope=scope and scope[1:],
            span=attributes.get("/ColSpan", 1),
        )
        kids = element.get("/K", [])
        for kid in kids if isinstance(kids, list) else [element.raw_get("/K")]:
            if isinstance(kid, IndirectObject):
                tag.kids.append(read(kid, reference.idnum))
                continue
            own = kid if isinstance(kid, int) else kid["/MCID"]
            page = (element if isinstance(kid, int) else kid).raw_get("/Pg").idnum
            assert owners[places[page]][own].idnum == reference.idnum
            assert (page, own) not in seen
            seen.add((page, own))
            tag.text += marked[page][own]
        return tag

    tree = read(root.raw_get("/K"), root.indirect_reference.idnum)
    assert seen == {(page, own) for page, contents in marked.items() for own in contents}
    return tree


def marked_content(page: Any) -> dict[int, str]:
    """Return the text of each piece of marked content; anything drawn outside fails the test."""
    faces = {name: font.get_object() for name, font in page["/Resources"]["/Font"].items()}
    readings = {name: to_unicode(font) for name, font in faces.items()}
    content: dict[int, str] = {}
    stack: list[int | None] = []
    reading: dict[int, str] = {}
    for operands, operator in page.get_contents().operations:
        if operator == b"BMC":
            assert operands[0] == "/Artifact"
            stack.append(None)
        elif operator == b"BDC":
            stack.append(operands[1]["/MCID"])
            content[operands[1]["/MCID"]] = ""
        elif operator == b"EMC":
            stack.pop()
        elif operator == b"Tf":
            reading = readings[operands[0]]
        elif operator in {b"Tj", b"S", b"f", b"B", b"f*", b"B*", b"b", b"b*", b"s", b"Do", b"sh"}:
            assert len(stack) == 1, operator
            if operator == b"Tj" and stack[0] is not None:
                raw = getattr(operands[0], "original_bytes", operands[0])
                content[stack[0]] += "".join(reading[code] for code in raw)
    assert not stack
    return content


def to_unicode(font: Any) -> dict[int, str]:
    """Return the text of each code of a font."""
    table = font["/ToUnicode"].get_data().decode("latin-1")
    return {
        int(code, 16): bytes.fromhex(text).decode("utf-16-be")
        for code, text in re.findall(r"<(\w\w)> <(\w{4,})>", table)
    }
