"""The files that pages are made of, each under a name that holds what it contains: so it is kept for good.

``solo.css`` is served as ``solo.0123456789ab.css``. A file that changes has another name, so no device shows
an old one and none asks twice. Under another name than today's (a page of before an upgrade, or the plain
name) the file of today is served, to be kept for an hour.

The pages' own style is written by room in ``static/styles`` and served as one file, ``solo.css``: a page asks
once, and the next page has it.
"""

import re
from datetime import timedelta
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from typing import Final

from flask import Flask, Response, current_app, request, send_file, url_for

from ledger.paths import STATIC

FOR_GOOD = timedelta(days=365)
"""As long as anything is kept."""

STYLE: Final = "solo.css"
_BASE = "vendor/pico.css"
_ROOMS = ["palette", "frame", "parts", "choices", "money", "narrow", "reading", "evening", "hand"]
"""What the style is made of, in this order: of two rules that weigh the same the later one holds."""

_COMMENT = re.compile(rb"/\*.*?\*/\s*", re.DOTALL)
_NAMED = re.compile(r"(?P<stem>.+)\.(?P<print>[0-9a-f]{12})(?P<suffix>\.\w+)")


def init_app(app: Flask) -> None:
    """Serve the files of ``app`` so, and let templates name them by ``asset``."""
    app.view_functions["static"] = _serve
    app.jinja_env.globals.update(asset=asset)


def asset(name: str) -> str:
    """Return the address of a file of ours, as it is today."""
    return _address(name, request.script_root)


@lru_cache(maxsize=256)
def _address(name: str, _root: str) -> str:
    """Work out the address of a file for all requests at the same ``_root``."""
    stem, _, suffix = name.rpartition(".")
    return url_for("static", filename=f"{stem}.{_print(name)}.{suffix}")


def _serve(filename: str) -> Response:
    """Serve a file under any name it has or had."""
    named = _NAMED.fullmatch(filename)
    name = named["stem"] + named["suffix"] if named else filename
    if name == STYLE:
        answer = send_file(BytesIO(_style()), "text/css", etag=_print(name))
    else:
        answer = current_app.send_static_file(name)
    if named and named["print"] == _print(name):
        answer.cache_control.max_age = int(FOR_GOOD.total_seconds())
        answer.cache_control.immutable = True
    return answer


@lru_cache
def _print(name: str) -> str:
    content = _style() if name == STYLE else (STATIC / name).read_bytes()
    return sha256(content).hexdigest()[:12]


@lru_cache
def _style() -> bytes:
    """Return the base and the rooms in one, without comments but the base's own: whose work it is."""
    rooms = b"".join((STATIC / "styles" / f"{room}.css").read_bytes() for room in _ROOMS)
    return (STATIC / _BASE).read_bytes() + _COMMENT.sub(b"", rooms)
