"""The web app manifest and the service worker, for installing the app and for its offline page.

Browsers allow both only with HTTPS or on localhost. Everything else also works over plain HTTP.
"""

from typing import Any

from flask import Response, jsonify, make_response, render_template, url_for

from engine.words.sentences import say
from ledger.http.assets import (
    CARDS_SCRIPT,
    CARDS_STYLE,
    LOW_STYLE,
    PAYOUT_SCRIPT,
    REPLAY_SCRIPT,
    REPLAY_STYLE,
    SCRIPT,
    STYLE,
    asset,
)
from ledger.http.etags import tag_of
from ledger.web.frame import card_pad, replay_player
from ledger.web.frame.context import four_suits, pages
from ledger.words.translation import translate

_COLOUR = "#f3eee1"
"""The background colour of pages."""

_ICON = "icon.svg"
_FILES = (
    *(_ICON, SCRIPT, STYLE, LOW_STYLE, CARDS_SCRIPT, CARDS_STYLE),
    *(REPLAY_SCRIPT, REPLAY_STYLE, PAYOUT_SCRIPT),
)
"""The files that are stored with the worker, besides the parts in the reader's language."""


_OLDER = say(
    "This form is older than the last change at the table: its number, dealer and balances may be old. You "
    "look at the hand again before it is saved."
)
"""The notice on a stored hand form if the device has seen later changes."""

_SEEN_AT = say("This page is as of {time}.", time="{time}")
"""The notice on a stored page; the worker fills in the time."""


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the web app manifest."""
    named: dict[str, Any] = {
        "id": url_for("web.home"),
        "start_url": url_for("web.home"),
        "scope": url_for("web.home"),
        "name": "Solo Ledger",
        "short_name": "Solo Ledger",
        "description": translate(say("Scores of Solo card games, chips and money.")),
        "display": "standalone",
        "background_color": _COLOUR,
        "theme_color": _COLOUR,
        "icons": [
            *(_icon(f"icon-{size}", size) for size in (192, 512)),
            _icon("maskable-512", 512) | {"purpose": "maskable"},
        ],
    }
    response = jsonify(named)
    response.mimetype = "application/manifest+json"
    return response


@pages.get("/worker.js")
def worker() -> Response:
    """Return the service worker that shows the offline page while the server can't be reached.

    It contains the offline page in the reader's language, and keeps the page for replays. A new release, or
    another language or choice of colours, changes the worker, so that browsers update it.
    """
    files = [asset(name) for name in _FILES]
    files += [card_pad.address(), replay_player.address()]
    offline = render_template("offline.html")
    version = tag_of(files, four_suits())
    response = make_response(
        render_template(
            "worker.js",
            files=files,
            offline=offline,
            version=version,
            older=translate(_OLDER),
            seen_at=translate(_SEEN_AT),
        )
    )
    response.mimetype = "text/javascript"
    return response


def _icon(name: str, size: int) -> dict[str, str]:
    return {
        "src": asset(f"icons/{name}.png"),
        "sizes": f"{size}x{size}",
        "type": "image/png",
    }
