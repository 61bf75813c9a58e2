"""The JSON API under ``/api/v1``: each view reads a shape, calls one service and answers with a shape."""

from functools import lru_cache

from flask import Flask, render_template, request
from flask_wtf.csrf import CSRFProtect

from engine.errors.codes import CHAPTERS, examples
from ledger.api import (
    archives,
    books,
    chips,
    clubs,
    engine,
    evening,
    exports,
    feed,
    hands,
    imports,
    money,
    page,
    paper,
    seasons,
    sessions,
    stats,
    undo,
)
from ledger.api.spec import Document, IdConverter
from ledger.words.problem_codes import CODES, PAGE

_SUBJECTS = (
    *(clubs, sessions, paper, evening, hands, undo, chips, money, books, feed, stats),
    *(seasons, archives, exports, imports, engine),
)


def init_app(app: Flask, csrf: CSRFProtect) -> None:
    """Register the API and its documentation.

    The API is exempt from CSRF protection because it reads no cookies: another site can't make a browser
    authenticate a request.
    """
    app.url_map.converters["id"] = IdConverter
    document = Document(app)
    for subject in _SUBJECTS:
        csrf.exempt(subject.blueprint)
        document.register_blueprint(subject.blueprint)

    @app.get("/api/v1/docs")
    def api_docs() -> str:
        """Return the documentation page."""
        return _page(app, document, request.script_root)

    @app.get(PAGE)
    def api_errors() -> str:
        """Return the page that explains every problem code."""
        return render_template(
            "api_errors.html", codes=CODES, chapters=CHAPTERS, examples=examples(), prose=page.prose
        )


# Cached for the benchmark loading: this page needs no token and takes a hundred times as long as any other.
@lru_cache(maxsize=4)
def _page(_app: Flask, document: Document, _root: str) -> str:
    """Render the documentation page for a URL prefix."""
    return render_template("api_docs.html", api=document.build(), page=page)
