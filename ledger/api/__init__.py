"""The JSON API under ``/api/v1``: thin. A shape comes in, one service acts, a shape goes out."""

from typing import Any

from flask import Flask, render_template
from flask_limiter import Limiter
from flask_wtf.csrf import CSRFProtect

from ledger.api import books, chips, clubs, engine, evening, hands, money, sessions, stats, undo
from ledger.api.spec import Document, IdConverter

FOUNDING = "20 per hour"
"""How many clubs one address may found: it is the only write that needs no token."""

_SUBJECTS = (
    clubs.blueprint,
    sessions.blueprint,
    evening.blueprint,
    hands.blueprint,
    undo.blueprint,
    chips.blueprint,
    money.blueprint,
    books.blueprint,
    stats.blueprint,
    engine.blueprint,
)


def init_app(app: Flask, csrf: CSRFProtect, limiter: Limiter) -> None:
    """Serve the API and its documentation from ``app``.

    It is exempt from CSRF protection because it reads no cookies: there is nothing that another site
    could make a browser send along.
    """
    app.json.sort_keys = False  # type: ignore[attr-defined]  # seats stand clockwise, not by name
    app.url_map.converters["id"] = IdConverter
    document = Document(app)
    for blueprint in _SUBJECTS:
        csrf.exempt(blueprint)
        document.register_blueprint(blueprint)
    views: dict[str, Any] = app.view_functions
    founding = "api-clubs.found_club"
    views[founding] = limiter.limit(FOUNDING)(views[founding])

    @app.get("/api/v1/docs")
    def api_docs() -> str:
        """Show the documentation as a page."""
        return render_template("api_docs.html")
