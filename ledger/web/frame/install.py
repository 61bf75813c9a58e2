"""Installing: what a phone needs to keep the pages like a program of its own, and to open them offline.

Browsers install, and run the worker, under HTTPS and on the machine itself only. Over plain HTTP in a kitchen
all else works the same.
"""

from hashlib import blake2b
from typing import Any

from flask import Response, jsonify, make_response, render_template, url_for

from engine.words.sentences import say
from ledger.http.assets import SCRIPT, STYLE, asset
from ledger.web.frame.context import pages
from ledger.words.translation import translate

_COLOUR = "#f3eee1"
"""The paper that pages are on."""

_ICON = "icon.svg"


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Say what the program is called when it is installed, and how it looks."""
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
    """Return the worker that answers for the pages while the ledger can't be reached.

    It holds the offline page in the reader's language. Whenever that page or a file of ours changes, so does
    the worker, and a browser puts it in place of the old one.
    """
    files = [asset(name) for name in (_ICON, SCRIPT, STYLE)]
    offline = render_template("offline.html")
    version = blake2b("".join([*files, offline]).encode(), digest_size=6).hexdigest()
    response = make_response(
        render_template("worker.js", files=files, offline=offline, version=version)
    )
    response.mimetype = "text/javascript"
    return response


def _icon(name: str, size: int) -> dict[str, str]:
    return {
        "src": asset(f"icons/{name}.png"),
        "sizes": f"{size}x{size}",
        "type": "image/png",
    }
