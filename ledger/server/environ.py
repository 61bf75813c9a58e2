"""One request as WSGI has it (PEP 3333): told to an application, and its answer put together."""

import sys
from collections.abc import Callable, MutableMapping
from functools import lru_cache
from io import BytesIO
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ledger.http.failures import MOST_BYTES
from ledger.http.request_log import ARRIVED
from ledger.server.rejections import Reply

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Scope = MutableMapping[str, Any]

_OF_A_BODY_ON_ITS_WAY = {b"content-length", b"transfer-encoding"}
"""Headers that no longer hold once it has come in: a body in chunks would pass for an empty one."""


def answer(application: "WSGIApplication", environ: dict[str, Any]) -> Reply:
    """Return an application's answer as a whole."""
    status, headers = 500, list[tuple[bytes, bytes]]()
    written: list[bytes] = []

    def start(
        line: str, fields: list[tuple[str, str]], _error: object = None, /
    ) -> Callable[[bytes], object]:
        nonlocal status, headers
        status = int(line[:3])
        headers = [(_sent(name), said.encode("latin1")) for name, said in fields]
        return written.append

    pieces = application(environ, start)
    try:
        body = b"".join([*written, *pieces])
    finally:
        if hasattr(pieces, "close"):
            pieces.close()
    if int(environ["CONTENT_LENGTH"]) > MOST_BYTES:  # the rest of the body is still on its way
        headers.append((b"connection", b"close"))
    return status, headers, body


def environment(scope: Scope, body: bytes) -> dict[str, Any]:
    """Return what a WSGI application is told of a request (PEP 3333)."""
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


@lru_cache(maxsize=256)
def _key(name: bytes) -> str:
    """Spell a header's name as WSGI does."""
    key = name.decode("latin1").upper().replace("-", "_")
    return key if key == "CONTENT_TYPE" else f"HTTP_{key}"


@lru_cache(maxsize=256)
def _sent(name: str) -> bytes:
    """Spell a header's name as it is sent."""
    return name.lower().encode("latin1")


def _headers(fields: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the headers as WSGI spells them: one said twice is a list; look-alikes are left out."""
    found: dict[str, str] = {}
    for name, value in fields:
        # x_forwarded_for would pass for x-forwarded-for
        if b"_" in name or name in _OF_A_BODY_ON_ITS_WAY:
            continue
        key = _key(name)
        said = value.decode("latin1")
        between = "; " if key == "HTTP_COOKIE" else ","
        found[key] = f"{found[key]}{between}{said}" if key in found else said
    return found
