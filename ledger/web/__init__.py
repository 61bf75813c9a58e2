"""The pages, phone first. Thin: a request's shape in, one service, a page out.

Each works without JavaScript; with it, htmx takes the parts of the same pages and puts them in place.
"""

from flask import Flask
from flask_limiter import Limiter

from ledger.web import (
    bank,
    clubs,
    count,
    entries,
    evenings,
    hands,
    history,
    keys,
    money,
    players,
    sessions,
    settle,
    statistics,
    table,
    undoing,
    words,
)
from ledger.web.door import LIMITER, pages


def init_app(app: Flask, limiter: Limiter) -> None:
    """Put the pages into ``app``; trying passcodes is held back by ``limiter``."""
    app.extensions[LIMITER] = limiter
    words.init_app(app)
    app.register_blueprint(pages)


__all__ = [
    "bank",
    "clubs",
    "count",
    "entries",
    "evenings",
    "hands",
    "history",
    "init_app",
    "keys",
    "money",
    "players",
    "sessions",
    "settle",
    "statistics",
    "table",
    "undoing",
]
