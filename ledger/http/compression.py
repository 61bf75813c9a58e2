"""Compression of responses with brotli or gzip, as the client accepts.

A page may be compressed although it contains a CSRF token. BREACH guesses a secret from the length of
responses that repeat the attacker's input; but the token is signed with its second, so it differs before a
second guess, and its constant part is worthless without the signature. Other sites can't make a browser send
the device's cookie with what they embed, either. Views that show a lasting secret (a token, the viewer link)
mark it ``no-store``, and it is not compressed: see ``ledger.server.app``.
"""

import gzip
from typing import Final

import brotli
from flask import Response, g, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from ledger.http.flask_app import vary

LEAST_BYTES = 500
"""The smallest response to compress; a smaller one fits one packet anyway."""

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
"""The types to compress: text, and small fonts. PDFs and pictures are compressed already."""

PACKED: Final = "packed"
"""The name in ``g`` of a shared page's compressed bodies, by encoding."""

_ENCODINGS = ("br", "gzip")
"""The supported encodings, the better one first."""

_BEST = {"br": 11, "gzip": 9}
"""The compression levels for static files, which are compressed once per process."""

# Cached for the benchmark loading: the best compression of a file takes 0.3 s.
_files: dict[tuple[str, str], bytes] = {}
"""The compressed static files by ETag and encoding."""


def compress(response: Response) -> None:
    """Compress a response's body in place if its type and length are worth it and the client accepts it.

    ``Vary`` is added even if it does not. A static file's compressed form is cached, and its ETag gets weak.
    """
    if response.mimetype not in TYPES or response.status_code in {206, 304}:
        return
    vary(response, "Accept-Encoding")
    encoding = _encoding(request.environ.get("HTTP_ACCEPT_ENCODING"))
    if encoding is None or "Content-Encoding" in response.headers:
        return
    etag, _ = response.get_etag()
    is_file = response.direct_passthrough
    response.direct_passthrough = False
    plain = response.get_data()
    if len(plain) < LEAST_BYTES:
        return
    if is_file and etag:
        if (etag, encoding) not in _files:
            _files[etag, encoding] = _compressed(plain, encoding, _BEST[encoding])
        response.set_data(_files[etag, encoding])
        response.set_etag(etag, weak=True)  # the same file, but not the same bytes
    else:
        packed: dict[str, bytes] = g.get(PACKED, {})
        if encoding not in packed:
            packed[encoding] = _compressed(plain, encoding, 4)
        response.set_data(packed[encoding])
    response.headers["Content-Encoding"] = encoding


def _encoding(accepted: str | None) -> str | None:
    """Return the best supported encoding for an ``Accept-Encoding`` header, if any.

    >>> _encoding("gzip, deflate, br"), _encoding("gzip;q=1, br;q=0.5"), _encoding("identity")
    ('br', 'gzip', None)
    """
    quality = parse_accept_header(accepted, Accept).quality
    encoding = max(_ENCODINGS, key=quality)
    return encoding if quality(encoding) else None


def _compressed(plain: bytes, encoding: str, level: int) -> bytes:
    if encoding == "br":
        packed: bytes = brotli.compress(plain, quality=level)
        return packed
    return gzip.compress(plain, level, mtime=0)
