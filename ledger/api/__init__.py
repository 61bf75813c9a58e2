"""The JSON API under ``/api/v1``: thin. A shape comes in, one service acts, a shape goes out."""

from functools import lru_cache

from flask import Flask, render_template, request
from flask_wtf.csrf import CSRFProtect

from engine.errors.catalogue import CHAPTERS
from ledger.api import books, chips, clubs, engine, evening, hands, money, sessions, stats, undo
from ledger.api.page import Told, prose
from ledger.api.spec import Document, IdConverter
from ledger.words.problem_codes import CODES, PAGE

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


def init_app(app: Flask, csrf: CSRFProtect) -> None:
    """Serve the API and its documentation from ``app``.

    It is exempt from CSRF protection because it reads no cookies: there is nothing that another site
    could make a browser send along.
    """
    app.url_map.converters["id"] = IdConverter
    document = Document(app)
    for blueprint in _SUBJECTS:
        csrf.exempt(blueprint)
        document.register_blueprint(blueprint)

    @app.get("/api/v1/docs")
    def api_docs() -> str:
        """Show the documentation as a page."""
        return _page(app, document, request.script_root)

    @app.get(PAGE)
    def api_errors() -> str:
        """Show what each code of a problem means."""
        return render_template("api_errors.html", codes=CODES, chapters=CHAPTERS, prose=prose)


@lru_cache(maxsize=4)
def _page(_app: Flask, document: Document, _root: str) -> str:
    """Make the page once for each place the service is reached under: it takes a while, and anybody asks."""
    return render_template("api_docs.html", api=Told(document.told()).page())
