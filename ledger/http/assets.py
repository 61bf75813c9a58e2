"""The files that pages are made of, each under a name that holds what it contains: so it is kept for good.

``solo.css`` is served as ``solo.0123456789ab.css``. A file that changes has another name, so no device shows
an old one and none asks twice. Under another name than today's (a page of before an upgrade, or the plain
name) the file of today is served, to be kept for an hour.

The pages' style is written by room in ``static/styles``, their scripts by task in ``static/scripts``, and
each is served as one file, ``solo.css`` and ``solo.js``: a page asks once, and the next page has it. On a
slow line all that comes beside the style holds up the first paint, and one file does so less than ten.
"""

import re
from datetime import timedelta
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from flask import Flask, Response, current_app, request, send_file, url_for

from ledger.runtime.paths import STATIC

FOR_GOOD = timedelta(days=365)
"""As long as anything is kept."""

STYLE: Final = "solo.css"
SCRIPT: Final = "solo.js"
_ROOMS = ["palette", "frame", "parts", "choices", "money", "narrow", "reading", "evening", "hand"]
_TASKS = ["page", "questions", "pad", "hand", "half", "next", "card", "send", "live", "outbox"]
_JOINED: Final = {
    STYLE: ["vendor/pico.css", *(f"styles/{room}.css" for room in _ROOMS)],
    SCRIPT: ["vendor/htmx.min.js", *(f"scripts/{task}.js" for task in _TASKS)],
}
"""What they are made of, in this order: of two rules that weigh the same the later one holds, and of two
scripts that hear the same event the earlier one hears it first."""

_COMMENT = {
    ".css": re.compile(rb"/\*.*?\*/\s*", re.DOTALL),
    ".js": re.compile(rb"^ *(?://[^\n]*|/\*.*?\*/ *)\n", re.DOTALL | re.MULTILINE),
}
"""Comments stay at home; of a script those on lines of their own, as only a parser knows the others."""

_BETWEEN = {".css": b"", ".js": b";\n"}
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
    if name in _JOINED:
        answer = send_file(BytesIO(_joined(name)), guess_type(name)[0], etag=_print(name))
    else:
        answer = current_app.send_static_file(name)
    if named and named["print"] == _print(name):
        answer.cache_control.max_age = int(FOR_GOOD.total_seconds())
        answer.cache_control.immutable = True
    return answer


@lru_cache
def _print(name: str) -> str:
    content = _joined(name) if name in _JOINED else (STATIC / name).read_bytes()
    return sha256(content).hexdigest()[:12]


@lru_cache
def _joined(name: str) -> bytes:
    """Return a file with all that it is made of; what is others' work keeps its comments: whose it is."""
    suffix = Path(name).suffix
    others, *ours = ((STATIC / part).read_bytes() for part in _JOINED[name])
    return _BETWEEN[suffix].join([others, *(_COMMENT[suffix].sub(b"", each) for each in ours)])
