"""Writes by somebody else while a page is being read: just before any one of its statements."""

from collections.abc import Callable

from sqlalchemy import event

from ledger.books.transactions import Database
from tests.ledger.web.phone import Page


def drawn(
    ask: Callable[[], Page], database: Database, at: int, act: Callable[[], object]
) -> tuple[Page, bool]:
    """Request a page with ``act`` done just before its statement ``at``; return whether it was reached."""
    wait, done = at, False

    def before(*_: object) -> None:
        nonlocal wait, done
        wait -= 1
        if wait < 0 and not done:
            done = True
            act()

    event.listen(database.engine, "before_cursor_execute", before)
    try:
        return ask(), done
    finally:
        event.remove(database.engine, "before_cursor_execute", before)
