"""The pages, phone first. Thin: a request's shape in, one service, a page out.

Each works without JavaScript; with it, htmx takes the parts of the same pages and puts them in place.
"""

from flask import Flask

from ledger.web import (  # noqa: F401 - to be imported is to be served
    bank,
    clubs,
    convert,
    count,
    devices,
    display,
    ending,
    entries,
    evenings,
    filters,
    hands,
    history,
    how_to_play,
    install,
    keys,
    letters,
    live,
    money,
    players,
    plot,
    safekeeping,
    screen,
    sessions,
    statistics,
    table,
    taps,
    undo,
    words,
)
from ledger.web.context import pages


def init_app(app: Flask) -> None:
    """Put the pages into ``app``."""
    ending.init_app(app)
    filters.init_app(app)
    taps.init_app(app)
    undo.init_app(app)
    words.init_app(app)
    app.register_blueprint(pages)
