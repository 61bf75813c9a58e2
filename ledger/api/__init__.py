"""The JSON API under ``/api/v1``: each view reads a shape, calls one service and answers with a shape."""

from functools import lru_cache

from flask import Flask, render_template, request
from flask_wtf.csrf import CSRFProtect

from engine.errors.codes import CHAPTERS, examples
from ledger.api import books, chips, clubs, engine, evening, hands, money, sessions, stats, undo
from ledger.api.page import PageBuilder, prose
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
    """Register the API and its documentation.

    The API is exempt from CSRF protection because it reads no cookies: another site can't make a browser
    authenticate a request.
    """
    app.url_map.converters["id"] = IdConverter
    document = Document(app)
    for blueprint in _SUBJECTS:
        csrf.exempt(blueprint)
        document.register_blueprint(blueprint)

    @app.get("/api/v1/docs")
    def api_docs() -> str:
        """Return the documentation page."""
        return _page(app, document, request.script_root)

    @app.get(PAGE)
    def api_errors() -> str:
        """Return the page that explains every problem code."""
        return render_template(
            "api_errors.html", codes=CODES, chapters=CHAPTERS, examples=examples(), prose=prose
        )


# Cached for the benchmark loading: rendering this page takes a hundred times as long as any other.
@lru_cache(maxsize=4)
def _page(_app: Flask, document: Document, _root: str) -> str:
    """Render the documentation page for a URL prefix.

    It is cached because rendering is slow and needs no token.
    """
    return render_template("api_docs.html", api=PageBuilder(document.build()).page())
