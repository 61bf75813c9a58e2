"""Answers made smaller on their way out: brotli or gzip, whichever the client takes.

A page may be compressed though it holds a CSRF token. BREACH guesses a secret from the length of answers
that repeat what the attacker sent; but the token is signed with its second, so it is another one before a
second guess comes, and the part that stays is worth nothing without the signature. Other sites can't send
the device's cookie along with what they embed either. What shows a lasting secret (a token, the viewer link)
is marked ``no-store`` by its view, and left as it is: see ``ledger.server.app``.
"""

import gzip
from functools import lru_cache
from typing import Final

import brotli
from flask import Response, g, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from ledger.http.flask_app import vary

LEAST_BYTES = 500
"""A smaller answer fits one packet anyhow."""

TYPES = {
    "application/javascript",
    "application/json",
    "application/problem+json",
    "font/ttf",
    "image/svg+xml",
    "text/css",
    "text/html",
    "text/javascript",
}
"""What is text, and the few letters of a font; a PDF and a picture are compressed in themselves."""

PACKED: Final = "packed"
"""Where a page that is shown to many leaves (in ``g``) how it was compressed, by the way."""

_WAYS = ("br", "gzip")
"""The better one first, where a client takes both alike."""

_BEST = {"br": 11, "gzip": 9}
"""How hard a file is pressed: once a process, and each new phone has less to load."""

_files: dict[tuple[str, str], bytes] = {}
"""Each static file as compressed once, by what its bytes are known by and the way."""


def compress(response: Response) -> None:
    """Compress an answer where that is worth it and its client takes it."""
    if response.mimetype not in TYPES or response.status_code in {206, 304}:
        return
    vary(response, "Accept-Encoding")
    way = _way(request.environ.get("HTTP_ACCEPT_ENCODING"))
    if way is None or "Content-Encoding" in response.headers:
        return
    known, _ = response.get_etag()
    is_file = response.direct_passthrough
    response.direct_passthrough = False
    plain = response.get_data()
    if len(plain) < LEAST_BYTES:
        return
    if is_file and known:
        if (known, way) not in _files:
            _files[known, way] = _compressed(plain, way, _BEST[way])
        response.set_data(_files[known, way])
        response.set_etag(known, weak=True)  # the same file, not the same bytes
    else:
        packed: dict[str, bytes] = g.get(PACKED, {})
        if way not in packed:
            packed[way] = _compressed(plain, way, 4)
        response.set_data(packed[way])
    response.headers["Content-Encoding"] = way


@lru_cache(maxsize=256)
def _way(accepted: str | None) -> str | None:
    """Return how a client that accepts this is answered smaller.

    >>> _way("gzip, deflate, br"), _way("gzip;q=1, br;q=0.5"), _way("identity"), _way(None)
    ('br', 'gzip', None, None)
    """
    quality = parse_accept_header(accepted, Accept).quality
    way = max(_WAYS, key=quality)
    return way if quality(way) else None


def _compressed(plain: bytes, way: str, quality: int) -> bytes:
    if way == "br":
        packed: bytes = brotli.compress(plain, quality=quality)
        return packed
    return gzip.compress(plain, quality, mtime=0)
