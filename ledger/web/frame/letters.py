"""Web fonts with the unusual characters of a page, for devices without a font for them.

A page with characters outside common scripts links a stylesheet made for just these characters. A browser
that lacks one of them downloads a subset of the report's fonts (`ledger.report.face_files`): a few KB under
a URL that names the characters, cached permanently. Other pages link nothing.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Final

from flask import Response, abort, url_for

from ledger.report.face_files import FALLBACKS, FOLDER, REGULAR, TEXT_FILES
from ledger.web.frame.context import pages
from ledger.web.frame.stored_files import for_good
from ledger.words.translation import reader

FAMILY: Final = "Ledger Letters"
"""The font family in the pages' style, after all fonts of the device."""

MOST: Final = 64
"""The most different characters served for a page."""

_ASCII: Final = bytes(range(128))
_BEYOND = re.compile(
    rb"[\xd6-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|\xe1[\x80-\xb7][\x80-\xbf]"
    rb"|[\xe3-\xee][\x80-\xbf]{2}|\xef[\xac-\xb7\xbc-\xbe][\x80-\xbf]|\xf0[\x90-\xaf][\x80-\xbf]{2}"
)
"""UTF-8 sequences of characters other than Latin, Greek, Cyrillic and common symbols."""
_JAPANESE = re.compile("[\u3000-\u9fff\uff01-\uff65]")
"""Characters that a device with Japanese pages can display."""
_CODES = re.compile(r"[0-9a-f]{3,6}(?:-[0-9a-f]{3,6})*")


def add(response: Response) -> None:
    """Append the stylesheet for a page's unusual characters at the end of ``#main``.

    It names at most ``MOST`` characters. Without any, or if it is not a page, the response stays unchanged.
    """
    if (
        response.mimetype != "text/html"
        or response.status_code == 304
        or response.direct_passthrough
    ):
        return
    page = response.get_data()
    available = _unusual(page)
    before, end, after = page.rpartition(b"</main>")
    if available and end:
        address = url_for("web.letters", codes="-".join(f"{code:x}" for code in available))
        link = f'<link rel="stylesheet" href="{address}">\n'
        response.set_data(before + link.encode() + end + after)


def with_fonts(picture: str) -> str:
    """Return an SVG picture with fonts for its unusual characters inside: it can't link any."""

    def data(face: str, codes: Sequence[int]) -> str:
        return f"data:font/ttf;base64,{b64encode(_subset(face, tuple(codes))).decode()}"

    rules = _rules(_unusual(picture.encode()), data)
    return picture.replace("</svg>", f"<style>{rules}</style></svg>") if rules else picture


def _unusual(page: bytes) -> list[int]:
    """Return the unusual characters of a page for which there is a face, at most ``MOST``."""
    beyond = page.translate(None, _ASCII)
    characters = {sequence.decode() for sequence in _BEYOND.findall(beyond)}
    if reader().tag == "ja":
        characters = {char for char in characters if not _JAPANESE.match(char)}
    return [code for code in sorted(map(ord, characters)) if _face_of(code)][:MOST]


def _rules(codes: Iterable[int], address: Callable[[str, Sequence[int]], str]) -> str:
    """Return the style rules for characters, each with a face; ``address`` gives the URL of its subset."""
    by_face: dict[str, list[int]] = {}
    for code in codes:
        by_face.setdefault(_face_of(code) or abort(404), []).append(code)
    return "".join(
        f'@font-face {{ font-family: "{FAMILY}"; font-display: swap; src: url("{address(face, few)}"); '
        f"unicode-range: {', '.join(f'U+{code:X}' for code in few)}; }}\n"
        for face, few in by_face.items()
    )


@pages.get("/letters/<codes>.css")
def letters(codes: str) -> Response:
    """Return the stylesheet with a font face for these characters, cached permanently.

    Answers 404 for a malformed list, or if no face has one of them.
    """
    rules = _rules(_read(codes), lambda face, few: f"{face}/{_spelled(few)}.ttf")
    return for_good(rules, "text/css")


@pages.get("/letters/<face>/<codes>.ttf")
def letters_of_a_face(face: str, codes: str) -> Response:
    """Return a subset of a face with these characters, cached permanently.

    Answers 404 for a malformed list, or if one of them belongs to another face.
    """
    requested = _read(codes)
    if any(_face_of(code) != face for code in requested):
        abort(404)
    return for_good(_subset(face, tuple(requested)), "font/ttf")


def _spelled(codes: Iterable[int]) -> str:
    return "-".join(f"{code:x}" for code in codes)


def _read(spelled: str) -> list[int]:
    """Return the characters named in a URL. Answers 404 unless they are unique, sorted and few enough."""
    if not _CODES.fullmatch(spelled):
        abort(404)
    codes = [int(code, 16) for code in spelled.split("-")]
    if len(codes) > MOST or codes != sorted(set(codes)) or _spelled(codes) != spelled:
        abort(404)
    return codes


def _face_of(code: int) -> str | None:
    """Return the name of the face with a character: the text face, or the first fallback, if any."""
    names = [REGULAR, *(fallback.name for fallback in FALLBACKS if fallback.may_hold(code))]
    return next((name for name in names if code in _coverage(name)), None)


# Cached for the benchmark loading: a page with other letters looks up each of them.
@cache
def _coverage(name: str) -> frozenset[int]:
    """Return the code points that a face has; most pages need none."""
    return frozenset(_face(name).unicodes)


def _face(name: str) -> Any:
    """Return a face, opened from its file."""
    import uharfbuzz  # type: ignore[import-untyped]

    files = TEXT_FILES | {fallback.name: fallback.file for fallback in FALLBACKS}
    return uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(FOLDER / files[name])))


def _subset(name: str, codes: tuple[int, ...]) -> bytes:
    """Return the font file of a face's subset, including joiners."""
    import uharfbuzz

    subset_input = uharfbuzz.SubsetInput()
    subset_input.unicode_set.update({*codes, 0x200C, 0x200D})
    font_file: bytes = uharfbuzz.subset(_face(name), subset_input).blob.data
    return bytes(font_file)
