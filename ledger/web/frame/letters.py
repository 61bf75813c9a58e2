"""Letters for names: what a page shows that a device may have no font for is served with the page.

The report embeds faces for many scripts (`ledger.report.face_files`). A page that shows such characters
names a style made for just these; a browser that has none of them in a font of its own fetches them from
there, a few KB under an address that says what they are, to be kept for good. A page without them asks for
nothing.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Final

from flask import Response, abort, g, url_for

from ledger.http.assets import FOR_GOOD
from ledger.report.face_files import FALLBACKS, FOLDER, REGULAR, TEXT_FILES
from ledger.web.frame.context import pages
from ledger.words.translation import reader

FAMILY: Final = "Ledger Letters"
"""What the pages' style calls them, after every font of the device's own."""

MOST: Final = 64
"""How many different characters a page gets: those of a table of odd names, not of a novel."""

FOR_GOOD_HERE: Final = "letters-for-good"
"""Where an answer says that it may be kept, as its address says all that is in it."""

_ASCII: Final = bytes(range(128))
_BEYOND = re.compile(
    rb"[\xd6-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xe1[\x80-\xb7][\x80-\xbf]"
    rb"|[\xe3-\xee][\x80-\xbf]{2}|\xef[\xac-\xb7\xbc-\xbe][\x80-\xbf]|\xf0[\x90-\xaf][\x80-\xbf]{2}"
)
"""What lies beyond Latin, Greek, Cyrillic and the signs that every device has, in UTF-8."""
_JAPANESE = re.compile("[\u3000-\u9fff\uff01-\uff65]")
"""What a device shows whose reader has the pages in Japanese."""
_CODES = re.compile(r"[0-9a-f]{3,6}(?:-[0-9a-f]{3,6})*")


def add(response: Response) -> None:
    """Let a page name the style that has the letters it may need, at the end of what is replaced of it."""
    if (
        response.mimetype != "text/html"
        or response.status_code == 304
        or response.direct_passthrough
    ):
        return
    page = response.get_data()
    beyond = page.translate(None, _ASCII)
    if not _BEYOND.search(beyond):
        return
    found = {each.decode() for each in _BEYOND.findall(beyond)}
    if reader().tag == "ja":
        found = {char for char in found if not _JAPANESE.match(char)}
    held = [code for code in sorted(map(ord, found)) if _face_of(code)][:MOST]
    before, end, after = page.rpartition(b"</main>")
    if held and end:
        address = url_for("web.letters", codes="-".join(f"{code:x}" for code in held))
        link = f'<link rel="stylesheet" href="{address}">\n'
        response.set_data(before + link.encode() + end + after)


@pages.get("/letters/<codes>.css")
def letters(codes: str) -> Response:
    """Give the style that names a face for each of some characters, and asks for no others."""
    by_face: dict[str, list[int]] = {}
    for code in _read(codes):
        by_face.setdefault(_face_of(code) or abort(404), []).append(code)
    rules = (
        f'@font-face {{ font-family: "{FAMILY}"; font-display: swap; src: url("{face}/{_spelled(few)}.ttf"); '
        f"unicode-range: {', '.join(f'U+{code:X}' for code in few)}; }}\n"
        for face, few in by_face.items()
    )
    return _for_good("".join(rules), "text/css")


@pages.get("/letters/<face>/<codes>.ttf")
def letters_of_a_face(face: str, codes: str) -> Response:
    """Give a font that holds just these characters of one of our faces."""
    wanted = _read(codes)
    if any(_face_of(code) != face for code in wanted):
        abort(404)
    return _for_good(_subset(face, tuple(wanted)), "font/ttf")


def _for_good(content: str | bytes, mimetype: str) -> Response:
    setattr(g, FOR_GOOD_HERE, True)
    response = Response(content, mimetype=mimetype)
    response.cache_control.public = response.cache_control.immutable = True
    response.cache_control.max_age = int(FOR_GOOD.total_seconds())
    return response


def _spelled(codes: Iterable[int]) -> str:
    return "-".join(f"{code:x}" for code in codes)


def _read(spelled: str) -> list[int]:
    """Read the characters that an address names: each once, in order, and no more than a page has."""
    if not _CODES.fullmatch(spelled):
        abort(404)
    codes = [int(code, 16) for code in spelled.split("-")]
    if len(codes) > MOST or codes != sorted(set(codes)) or _spelled(codes) != spelled:
        abort(404)
    return codes


@lru_cache(maxsize=4096)
def _face_of(code: int) -> str | None:
    """Name the face that has a character: the text's, else the first of those for its script."""
    names = [REGULAR, *(each.name for each in FALLBACKS if each.may_hold(code))]
    return next((name for name in names if code in _face(name).unicodes), None)


@cache
def _face(name: str) -> Any:
    """Open a face's file; most pages need none."""
    import uharfbuzz  # type: ignore[import-untyped]

    files = TEXT_FILES | {each.name: each.file for each in FALLBACKS}
    return uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(FOLDER / files[name])))


@lru_cache(maxsize=128)
def _subset(name: str, codes: tuple[int, ...]) -> bytes:
    """Cut a face down to some characters, with what their script needs to join them."""
    import uharfbuzz

    asked = uharfbuzz.SubsetInput()
    asked.unicode_set.update({*codes, 0x200C, 0x200D})
    made: bytes = uharfbuzz.subset(_face(name), asked).blob.data
    return bytes(made)
