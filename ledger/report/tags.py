"""Tagged PDF (PDF/UA-1): the structure tree of a report, and the objects that reportlab does not write.

Screen readers follow the tree, not the positions on the page. Each piece of content belongs to one element or
is an artifact (rules, repeated heads, footers). The tree has an element for every cell of a table; written
as plain objects it would be larger than the rest of the file, so it goes into a compressed object stream.
"""

import re
import zlib
from collections.abc import Iterator
from html import escape
from itertools import accumulate, pairwise
from typing import Any

from reportlab.pdfbase.pdfdoc import PDFName, PDFStream, PDFStreamFilterZCompress
from reportlab.pdfgen.canvas import Canvas

from ledger.report.reportlab_internals import document_of

COLUMN = "/A<</O/Table/Scope/Column>>"
"""The attributes of a cell that is the head of its column."""

ARTIFACT = "/Artifact BMC"
"""The operator that begins content outside the structure."""

_METADATA = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfuaid:part>1</pdfuaid:part>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""

_PLACE = re.compile(rb"(\d{10}) \d{5} [nf] ")
_ID = rb"/ID\s*\[(.*?)\]"


class _Smallest(PDFStreamFilterZCompress):
    """Compression of a page, slower and smaller than reportlab's."""

    def encode(self, text: str) -> bytes:
        """Return the compressed text of a page."""
        return zlib.compress(text.encode("latin-1"), 9)


class Element:
    """An element of the structure: its role, its other keys, and its elements and content in reading order.

    Content on a page is the pair of the page's place and its number there.
    """

    __slots__ = ("keys", "kids", "role")

    def __init__(self, role: str, keys: str = "") -> None:
        self.role = role
        self.keys = keys
        self.kids: list[Element | tuple[int, int]] = []

    def add(self, role: str, keys: str = "") -> "Element":
        """Return a new last child."""
        child = Element(role, keys)
        self.kids.append(child)
        return child


def alternative_text(text: str) -> str:
    """Return the key of a figure's alternative text."""
    return f"/Alt{_text(text)}"


def head_of_row(columns: int = 1) -> str:
    """Return the attributes of a cell that is the head of its row, and may be several columns wide."""
    return f"/A<</O/Table/Scope/Row{f'/ColSpan {columns}' if columns > 1 else ''}>>"


def column_span(columns: int) -> str:
    """Return the attributes of a cell that is several columns wide."""
    return f"/A<</O/Table/ColSpan {columns}>>" if columns > 1 else ""


class StructureTree:
    """The structure of one document, filled while its pages are drawn."""

    def __init__(self) -> None:
        self.root = Element("Document")
        self._pages: list[list[Element]] = []

    def begin_page(self) -> None:
        """Start a page, with content numbered from 0."""
        self._pages.append([])

    def opening(self, element: Element | None) -> str:
        """Return the operator that begins content of an element, or without one an artifact."""
        if element is None:
            return ARTIFACT
        owners = self._pages[-1]
        element.kids.append((len(self._pages) - 1, len(owners)))
        owners.append(element)
        return f"/{element.role}<</MCID {len(owners) - 1}>>BDC"

    def name_page(self, page: Any) -> None:
        """Add the keys to reportlab's object of the last page that lead to its structure and tab order."""
        page.Contents = PDFStream(content=page.stream, filters=[_Smallest()])
        page.__NoDefault__ = (*page.__NoDefault__, "StructParents", "Tabs")
        page.StructParents = len(self._pages) - 1
        page.Tabs = PDFName("S")

    def add_tags(self, data: bytes, canvas: Canvas) -> bytes:
        """Return reportlab's file with this structure and its metadata.

        The table of positions becomes a stream, which can also hold those of compressed objects. A new
        catalog takes the place of the file's own.
        """
        body, _, rest = data.rpartition(b"xref\n0 ")
        places = [int(at) for at in _PLACE.findall(rest)]
        root, info = (int(_found(rb"/%s (\d+) 0 R" % name, rest)) for name in (b"Root", b"Info"))
        document = document_of(canvas)
        numbers = document.idToObjectNumberAndVersion
        pages = [numbers[f"Page{number}"][0] for number in range(1, len(self._pages) + 1)]
        first = len(places)
        objects = list(self._objects(first, pages))
        metadata, stream, table = range(first + len(objects), first + len(objects) + 3)
        own = _found(rb"obj\n<<(.*?)>>\s*endobj", data[places[root] :])
        catalog = (
            f"<<{own.decode('latin-1')}/MarkInfo<</Marked true>>/StructTreeRoot {first} 0 R"
            f"/ViewerPreferences<</DisplayDocTitle true>>/Metadata {metadata} 0 R>>"
        )
        packed = _object_stream([(root, catalog), *enumerate(objects, first)])
        file = bytearray(body)
        where = []
        for number, content in (
            (metadata, _stream("/Type/Metadata/Subtype/XML", _metadata(document.info))),
            (stream, packed),
        ):
            where.append(len(file))
            file += b"%d 0 obj\n%b\nendobj\n" % (number, content)
        rows = [(0, 0, 0), *((1, at, 0) for at in places[1:])]
        rows[root] = (2, stream, 0)
        rows += [(2, stream, place) for place in range(1, len(objects) + 1)]
        rows += [(1, at, 0) for at in (*where, len(file))]
        keys = (
            f"/Type/XRef/W[1 4 3]/Size {len(rows)}/Root {root} 0 R/Info {info} 0 R"
            f"/ID[{_found(_ID, rest).decode()}]"
        )
        start = len(file)
        file += b"%d 0 obj\n%b\nendobj\n" % (table, _table(keys, rows))
        file += b"startxref\n%d\n%%%%EOF\n" % start
        return bytes(file)

    def _objects(self, first: int, pages: list[int]) -> Iterator[str]:
        """Yield the tree's objects, numbered from `first`: its root, the elements, the owners of content."""
        elements = list(_descendants(self.root))
        numbers = {id(element): number for number, element in enumerate(elements, first + 1)}
        owners = " ".join(
            f"{place}[{' '.join([f'{numbers[id(owner)]} 0 R' for owner in page])}]"
            for place, page in enumerate(self._pages)
        )
        last = first + len(elements) + 1
        yield (
            f"<</Type/StructTreeRoot/K {first + 1} 0 R/ParentTree {last} 0 R"
            f"/ParentTreeNextKey {len(pages)}>>"
        )
        parents = {
            id(kid): number
            for number, element in enumerate(elements, first + 1)
            for kid in element.kids
        }
        for element in elements:
            parent = parents.get(id(element), first)
            yield f"<</S/{element.role}/P {parent} 0 R{_content(element, numbers, pages)}{element.keys}>>"
        yield f"<</Nums[{owners}]>>"


def _metadata(info: Any) -> bytes:
    """Return the XMP metadata: the standard, and the title and author as in the file's properties."""
    return _METADATA.format(title=escape(info.title), author=escape(info.author)).encode()


def _found(pattern: bytes, data: bytes) -> bytes:
    """Return the group of a pattern that reportlab's file has."""
    match = re.search(pattern, data, re.DOTALL)
    assert match is not None
    return match[1]


def _descendants(element: Element) -> Iterator[Element]:
    """Yield an element and all below it, in reading order."""
    yield element
    for kid in element.kids:
        if isinstance(kid, Element):
            yield from _descendants(kid)


def _content(element: Element, numbers: dict[int, int], pages: list[int]) -> str:
    """Return the keys of an element's kids; none if it has no kids."""
    if not element.kids:
        return ""
    home = next((kid[0] for kid in element.kids if not isinstance(kid, Element)), None)
    kids = [
        f"{numbers[id(kid)]} 0 R"
        if isinstance(kid, Element)
        else f"{kid[1]}"
        if kid[0] == home
        else f"<</Type/MCR/Pg {pages[kid[0]]} 0 R/MCID {kid[1]}>>"
        for kid in element.kids
    ]
    page = "" if home is None else f"/Pg {pages[home]} 0 R"
    return f"{page}/K {kids[0]}" if len(kids) == 1 else f"{page}/K[{' '.join(kids)}]"


def _stream(keys: str, content: bytes) -> bytes:
    return b"<<%b/Length %d>>\nstream\n%b\nendstream" % (keys.encode(), len(content), content)


def _object_stream(objects: list[tuple[int, str]]) -> bytes:
    """Return a compressed stream of objects with their numbers."""
    texts = [text.encode("latin-1") for _, text in objects]
    starts = accumulate((len(text) + 1 for text in texts), initial=0)
    index = b" ".join(
        b"%d %d" % (number, start) for (number, _), start in zip(objects, starts, strict=False)
    )
    content = zlib.compress(b"%b\n%b" % (index, b"\n".join(texts)), 9)
    keys = f"/Type/ObjStm/N {len(objects)}/First {len(index) + 1}/Filter/FlateDecode"
    return _stream(keys, content)


def _table(keys: str, rows: list[tuple[int, int, int]]) -> bytes:
    """Return the stream of positions.

    Each byte is stored as the difference to the row above (PNG's predictor "up"), which makes rows that count
    upwards alike.
    """
    plain = [b"%c%b%b" % (kind, at.to_bytes(4), place.to_bytes(3)) for kind, at, place in rows]
    ups = (
        bytes([2, *((own - above) & 255 for own, above in zip(row, before, strict=False))])
        for before, row in pairwise([bytes(8), *plain])
    )
    content = zlib.compress(b"".join(ups), 9)
    predictor = "/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 8>>"
    return _stream(keys + predictor, content)


def _text(text: str) -> str:
    """Return a text string of PDF in UTF-16."""
    return f"<FEFF{text.encode('utf-16-be', 'replace').hex().upper()}>"
