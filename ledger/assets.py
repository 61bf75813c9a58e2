"""The files that pages are made of, each under a name that holds what it contains: so it is kept for good.

``solo.css`` is served as ``solo.0123456789ab.css``. A file that changes has another name, so no device shows
an old one and none asks twice. Under another name than today's (a page of before an upgrade, or the plain
name) the file of today is served, to be kept for an hour.
"""

import re
from datetime import timedelta
from functools import lru_cache
from hashlib import sha256

from flask import Flask, Response, current_app, url_for

from ledger.paths import STATIC

FOR_GOOD = timedelta(days=365)
"""As long as anything is kept."""

_NAMED = re.compile(r"(?P<stem>.+)\.(?P<print>[0-9a-f]{12})(?P<suffix>\.\w+)")


def init_app(app: Flask) -> None:
    """Serve the files of ``app`` so, and let templates name them by ``asset``."""
    app.view_functions["static"] = _serve
    app.jinja_env.globals.update(asset=asset)


def asset(name: str) -> str:
    """Return the address of a file of ours, as it is today."""
    stem, _, suffix = name.rpartition(".")
    return url_for("static", filename=f"{stem}.{_print(name)}.{suffix}")


def _serve(filename: str) -> Response:
    """Serve a file under any name it has or had."""
    named = _NAMED.fullmatch(filename)
    name = named["stem"] + named["suffix"] if named else filename
    answer = current_app.send_static_file(name)
    if named and named["print"] == _print(name):
        answer.cache_control.max_age = int(FOR_GOOD.total_seconds())
        answer.cache_control.immutable = True
    return answer


@lru_cache
def _print(name: str) -> str:
    return sha256((STATIC / name).read_bytes()).hexdigest()[:12]
