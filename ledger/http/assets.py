"""Static files, served under names that contain a hash of their content, so that they are stored for good.

``solo.css`` is served as ``solo.0123456789ab.css``. A changed file gets another name, so no device shows an
old one or asks twice. An outdated name (of a page from before an upgrade) or the plain name leads to the
current file, to be stored for an hour.

The style is written in several files in ``static/styles``, the scripts in ``static/scripts``, and each is
served as one file, ``solo.css`` and ``solo.js``: on a slow line ten files delay the first paint more. What
draws cards and referees them is in ``static/cards``; it is served as ``cards.css`` and ``cards.js``, and for
pages that replay hands ``replay.css`` and ``replay.js``. The scripts that look up payouts and legal calls are
in ``static/payouts``, served as ``payout.js``. ``scripts/later.js`` loads all of these after a page that
needs them was drawn. The board view names ``screen.js``, from ``static/screen``, and in place of ``solo.css``
``screen.css``, which contains it: a page waits for one style. ``low.css`` is only for phones on their side,
``hand-sheet.css`` only for the sheet of a hand, ``player-mark.css`` and ``picture.js`` for a player's mark.
"""

import re
from datetime import timedelta
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path
from typing import Final, NamedTuple

from flask import Flask, Response, current_app, request, send_file

from ledger.runtime.paths import STATIC

FOR_GOOD = timedelta(days=365)
"""The longest lifetime of a stored response."""

STYLE: Final = "solo.css"
SCRIPT: Final = "solo.js"
LOW_STYLE: Final = "low.css"
CARDS_STYLE: Final = "cards.css"
CARDS_SCRIPT: Final = "cards.js"
REPLAY_STYLE: Final = "replay.css"
REPLAY_SCRIPT: Final = "replay.js"
SCREEN_STYLE: Final = "screen.css"
SCREEN_SCRIPT: Final = "screen.js"
PAYOUT_SCRIPT: Final = "payout.js"
_VENDOR = "vendor/"
_STYLES = [
    *("palette", "players", "text", "visibility", "frame", "buttons", "wide"),
    *("cards", "notices", "lists", "figures"),
    *("taps", "fields", "paper", "sharing", "seats", "money", "narrow"),
    *("history", "chart", "statistics", "how-to-play", "podium", "ending"),
    *("scoreboard", "marks", "scoreboard-narrow"),
    *("questions", "payout", "questions-wide", "print"),
]
_SCRIPTS = [
    *(
        "page",
        "later",
        "questions",
        "turn",
        "pad",
        "toolbars",
        "hand",
        "half",
        "next",
        "card",
        "send",
        "live",
        "unsent",
        "outbox",
        "ahead",
    ),
]
_CARDS_STYLES = ["entry", "entry-keys"]
_CARDS_SCRIPTS = [
    *("referee", "play", "text", "result"),
    *("entry-view", "entry-deal", "entry", "entry-link", "entry-keys"),
]
_REPLAY_STYLES = ["replay", "replay-screens", "link"]
_REPLAY_SCRIPTS = ["line", "replay-course", "replay-table", "replay", "link", "replay-board"]
_SCREEN_STYLES = ["screen", "seats", "fitted"]
_SCREEN_SCRIPTS = ["fit", "motion"]
_PAYOUT_SCRIPTS = ["table", "auction", "draw"]
_STYLE_PARTS = [f"{_VENDOR}pico.css", *(f"styles/{name}.css" for name in _STYLES)]
_JOINED: Final = {
    STYLE: _STYLE_PARTS,
    SCRIPT: [f"{_VENDOR}htmx.min.js", *(f"scripts/{name}.js" for name in _SCRIPTS)],
    CARDS_STYLE: [f"cards/{name}.css" for name in _CARDS_STYLES],
    CARDS_SCRIPT: [f"cards/{name}.js" for name in _CARDS_SCRIPTS],
    REPLAY_STYLE: [f"cards/{name}.css" for name in _REPLAY_STYLES],
    REPLAY_SCRIPT: [f"cards/{name}.js" for name in _REPLAY_SCRIPTS],
    SCREEN_STYLE: [*_STYLE_PARTS, *(f"screen/{name}.css" for name in _SCREEN_STYLES)],
    SCREEN_SCRIPT: [f"screen/{name}.js" for name in _SCREEN_SCRIPTS],
    PAYOUT_SCRIPT: [f"payouts/{name}.js" for name in _PAYOUT_SCRIPTS],
}
"""The parts of the joined files. Order matters: a later rule wins over an equal one, and an earlier script
gets an event first."""

_COMMENT = {
    ".css": re.compile(rb"/\*.*?\*/\s*|(?<=\n)[ \n]+|(?<=[,;{}])\n| (?={)|(?<=:) ", re.DOTALL),
    ".js": re.compile(rb"^ *(?://[^\n]*|/\*.*?\*/ *)\n|^ +", re.DOTALL | re.MULTILINE),
}
"""The comments and spaces to remove; of a script, only indentation, and comments on lines of their own, as
others need a parser. No template literal may go over several lines."""

_SEPARATOR = {".css": b"", ".js": b";\n"}
_NAMED = re.compile(r"(?P<stem>.+)\.(?P<hash>[0-9a-f]{12})(?P<suffix>\.\w+)")


class Asset(NamedTuple):
    """A static file's content and the hash in its name."""

    content: bytes
    hash: str


def init_app(app: Flask) -> None:
    """Serve the app's static files, and let templates name them by ``asset``."""
    app.view_functions["static"] = _serve
    app.jinja_env.globals.update(asset=asset)


def asset(name: str) -> str:
    """Return the address of a static file, with the hash in its name. Raises ``OSError`` if there is none."""
    stem, _, suffix = name.rpartition(".")
    folder = f"{request.script_root}{current_app.static_url_path}"
    return f"{folder}/{stem}.{_asset(name).hash}.{suffix}"


def _serve(filename: str) -> Response:
    """Serve a file: under its current name to be stored for a year, else for an hour; 404 for none."""
    named = _NAMED.fullmatch(filename)
    name = named["stem"] + named["suffix"] if named else filename
    if name in _JOINED:
        joined = _asset(name)
        answer = send_file(BytesIO(joined.content), guess_type(name)[0], etag=joined.hash)
    else:
        answer = current_app.send_static_file(name)
    if named and named["hash"] == _asset(name).hash:
        answer.cache_control.max_age = int(FOR_GOOD.total_seconds())
        answer.cache_control.immutable = True
    return answer


# Cached for the benchmark loading: each page names several files, and hashing takes longer than it.
@lru_cache
def _asset(name: str) -> Asset:
    """Return a static file with its hash. Raises ``OSError`` if it can't be read.

    A file in ``_JOINED`` is put together from its parts.
    """
    if name in _JOINED:
        content = _SEPARATOR[Path(name).suffix].join(map(_part, _JOINED[name]))
    else:
        content = (STATIC / name).read_bytes()
    return Asset(content, sha256(content).hexdigest()[:12])


def _part(name: str) -> bytes:
    """Return a part of a joined file, without its comments unless it is third-party."""
    content = (STATIC / name).read_bytes()
    return content if name.startswith(_VENDOR) else _COMMENT[Path(name).suffix].sub(b"", content)
