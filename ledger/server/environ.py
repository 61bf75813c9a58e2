"""Conversion between the server's ASGI requests and a WSGI application (PEP 3333)."""

import sys
from collections.abc import Callable, MutableMapping
from io import BytesIO
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ledger.http.failures import MOST_BYTES
from ledger.http.request_log import ARRIVED
from ledger.server.rejections import Reply

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Scope = MutableMapping[str, Any]
"""An ASGI request without its body."""

_TRANSFER_HEADERS = {b"content-length", b"transfer-encoding"}
"""Headers that are wrong once the body has been read: a chunked body would pass for an empty one."""


def answer(application: "WSGIApplication", environ: dict[str, Any]) -> Reply:
    """Return an application's complete response; after a body that was too long it ends the connection."""
    status, headers = 500, list[tuple[bytes, bytes]]()
    written: list[bytes] = []

    def start(
        line: str, fields: list[tuple[str, str]], _error: object = None, /
    ) -> Callable[[bytes], object]:
        nonlocal status, headers
        status = int(line[:3])
        headers = [
            (name.lower().encode("latin1"), value.encode("latin1")) for name, value in fields
        ]
        return written.append

    pieces = application(environ, start)
    try:
        body = b"".join([*written, *pieces])
    finally:
        if hasattr(pieces, "close"):
            pieces.close()
    if int(environ["CONTENT_LENGTH"]) > MOST_BYTES:  # the rest of the body is still arriving
        headers.append((b"connection", b"close"))
    return status, headers, body


def environment(scope: Scope, body: bytes) -> dict[str, Any]:
    """Return a request's WSGI environment."""
    host, port = scope.get("server") or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin1"),
        "QUERY_STRING": scope["query_string"].decode("latin1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        ARRIVED: perf_counter(),
    }
    return environ | _headers(scope["headers"])


def _headers(fields: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the headers in WSGI spelling; repeated ones are joined.

    Names with ``_`` and the headers of the transfer itself are left out.
    """
    headers: dict[str, str] = {}
    for name, raw in fields:
        # x_forwarded_for would pass for x-forwarded-for
        if b"_" in name or name in _TRANSFER_HEADERS:
            continue
        key = name.decode("latin1").upper().replace("-", "_")
        if key != "CONTENT_TYPE":
            key = f"HTTP_{key}"
        value = raw.decode("latin1")
        separator = "; " if key == "HTTP_COOKIE" else ","
        headers[key] = f"{headers[key]}{separator}{value}" if key in headers else value
    return headers
