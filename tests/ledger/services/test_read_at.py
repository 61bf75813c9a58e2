"""Previews state the revision of the session at which they were read."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import event

from ledger.services.chips import count
from ledger.services.money import convert
from ledger.services.reads import accounts
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import cash_out
from ledger.services.undo import last
from tests.ledger import cash
from tests.ledger.evenings import CardClub, Evening

LOOKS: Mapping[str, Callable[[Evening], Any]] = {
    "a leaving": lambda e: e.preview(cash_out.leave, player="Ann"),
    "a conversion": lambda e: e.read(convert.quote),
    "a count": lambda e: e.preview(count.record, {"Ann": {5: 1}}),
    "the accounts": lambda e: e.read(accounts.books),
    "what is undone": lambda e: e.read(last.look),
    "an undoing": lambda e: e.preview(last.undo).preview,
    "the session": lambda e: e.read(load),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_a_look_and_its_revision_are_of_one_moment(
    any_club: CardClub, look: Callable[[Evening], Any]
) -> None:
    """With a write between any two of its statements, it shows all of that, or nothing."""
    evening = any_club.start(starting_stack=150, rate=Rate(10, 10))
    evening.record(cash.ANN_WINS)
    wait = -1  # how many more statements pass before somebody writes; below 0: nobody does

    def writing(*_: Any) -> None:
        nonlocal wait
        wait -= 1
        if wait == -1:
            evening.record(cash.ANN_WINS)

    statements, written = 0, True
    event.listen(any_club.db.engine, "before_cursor_execute", writing)
    try:
        while written:
            before = look(evening)
            wait = statements
            during = look(evening)
            written = wait < 0
            wait = -1
            after = look(evening)
            assert after.revision == evening.view.revision
            assert after.revision == (before.revision or 0) + written
            assert during in (before, after)
            statements += 1
    finally:
        event.remove(any_club.db.engine, "before_cursor_execute", writing)
    assert statements > 1
