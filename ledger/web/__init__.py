"""The pages, phone first. Thin: a request's shape in, one service, a page out.

Each works without JavaScript; with it, htmx takes the parts of the same pages and puts them in place.
"""

from flask import Flask

# Importing a module of pages registers its routes.
from ledger.web.club import clubs, devices, evenings, keys, players, safekeeping, statistics  # noqa: F401
from ledger.web.evening import entries, history, how_to_play, screen, sessions, table, undo  # noqa: F401
from ledger.web.frame import display, filters, install, letters, live, plot, words  # noqa: F401
from ledger.web.frame.context import pages
from ledger.web.hand import hands, taps  # noqa: F401
from ledger.web.money import bank, convert, count, ending, money  # noqa: F401


def init_app(app: Flask) -> None:
    """Put the pages into ``app``."""
    ending.init_app(app)
    filters.init_app(app)
    taps.init_app(app)
    undo.init_app(app)
    words.init_app(app)
    app.register_blueprint(pages)
