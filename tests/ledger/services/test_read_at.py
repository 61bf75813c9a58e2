"""What is shown before something is written says at which revision of the session it was read."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import pytest
from sqlalchemy import event

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.chips import count
from ledger.services.club import clubs
from ledger.services.money import convert
from ledger.services.reads import accounts
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import cash_out
from ledger.services.undo import last
from tests.ledger import cash, table
from tests.ledger.table import ask, asking, dry


class Revised(Protocol):
    """What was read at a revision of a session."""

    @property
    def revision(self) -> int | None:
        """The session's."""


LOOKS: Mapping[str, Callable[[Database, Access, int], Revised]] = {
    "a leaving": lambda db, access, played: ask(
        db, access, dry(cash_out.leave), played, player="Ann"
    ),
    "a conversion": asking(convert.quote),
    "a count": lambda db, access, played: ask(
        db, access, dry(count.record), played, {"Ann": {5: 1}}
    ),
    "the books": asking(accounts.books),
    "what is undone": asking(last.look),
    "an undoing": lambda db, access, played: ask(db, access, dry(last.undo), played).preview,
    "the session": asking(load),
}


@pytest.mark.parametrize("what", LOOKS)
def test_a_look_and_its_revision_are_of_one_moment(any_database: Database, what: str) -> None:
    """Whoever writes between any two of its statements: it shows all of that, or nothing."""
    here, _ = clubs.found(any_database, name="Kitchen", passcode="four aces", author="Sue")
    played = table.start(any_database, here, table.FOUR, starting_stack=150, rate=Rate(10, 10))
    table.record(any_database, here, played, cash.ANN_WINS)
    wait = -1  # how many more statements are let pass before somebody writes; below 0: nobody does

    def writing(*_: Any) -> None:
        nonlocal wait
        wait -= 1
        if wait == -1:
            table.record(any_database, here, played, cash.ANN_WINS)

    look, statements, written = LOOKS[what], 0, True
    event.listen(any_database.engine, "before_cursor_execute", writing)
    try:
        while written:
            before = look(any_database, here, played)
            wait = statements
            seen = look(any_database, here, played)
            written = wait < 0
            wait = -1
            after = look(any_database, here, played)
            assert after.revision == ask(any_database, here, load, played).revision
            assert after.revision == (before.revision or 0) + written
            assert seen in (before, after)
            statements += 1
    finally:
        event.remove(any_database.engine, "before_cursor_execute", writing)
    assert statements > 1
