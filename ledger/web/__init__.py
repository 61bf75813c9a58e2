"""The pages, designed for phones first. A view parses the request, calls one service and renders a page.

Every page works without JavaScript; with it, htmx replaces parts of the same pages.
"""

from flask import Flask

# Importing a module of pages registers its routes.
from ledger.web.club import (  # noqa: F401
    clubs,
    devices,
    evenings,
    exports,
    keys,
    players,
    records,
    safekeeping,
    seasons,
    statistics,
)
from ledger.web.evening import (  # noqa: F401
    confirming,
    entries,
    history,
    how_to_play,
    paper,
    screen,
    sessions,
    table,
    undo,
)
from ledger.web.frame import (  # noqa: F401
    card_pad,
    display,
    filters,
    install,
    letters,
    live,
    plot,
    replay_player,
    trust,
    words,
)
from ledger.web.frame.context import pages
from ledger.web.hand import hands, replay, sheet, taps, trial  # noqa: F401
from ledger.web.money import bank, convert, count, ending, expenses, imports, money, sending  # noqa: F401


def init_app(app: Flask) -> None:
    """Register the pages, their filters and the functions of their templates with the application."""
    ending.init_app(app)
    filters.init_app(app)
    card_pad.init_app(app)
    replay_player.init_app(app)
    sending.init_app(app)
    taps.init_app(app)
    undo.init_app(app)
    words.init_app(app)
    app.register_blueprint(pages)
