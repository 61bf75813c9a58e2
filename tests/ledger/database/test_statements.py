"""What a table does all evening asks the ledger little, and as little after a hundred hands as after ten.

Statements are counted, not seconds: what opens a transaction looks at nothing, and is not counted.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import event

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.club import clubs, tokens
from ledger.services.session.load import load
from tests.ledger import table
from tests.ledger.api.caller import Caller
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import ask
from tests.ledger.web.phone import Phone

FORM = {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob", "points": "74"}
NOT_CORRECTED = {**table.HEARTS_74, "points": 50}


class Table:
    """Seven at a table with three hands behind them, a phone and a program let in."""

    def __init__(self, app: Flask, database: Database, club: Access) -> None:
        self.database, self.club = database, club
        self.number = table.start(database, club)
        for hand in (table.HEARTS_74, table.ALONE_85, table.HEARTS_46):
            table.record(database, club, self.number, hand)
        secret, _ = tokens.issue(database, club, label="tablet", role=Role.SCORER)
        self.program, self.phone = Caller(app, secret), Phone(app)
        self.phone.enter(ask(database, club, clubs.show).name, PASSCODE, "Mia")
        self.page = f"/clubs/{club.club_id}/sessions/{self.number}"
        self.path = f"/sessions/{self.number}"

    @property
    def revision(self) -> int:
        """The session's revision now."""
        return ask(self.database, self.club, load, self.number).revision

    @contextmanager
    def counted(self) -> Iterator[list[str]]:
        """Count the statements of the block."""
        requests: list[str] = []

        def hear(_c: object, _cursor: object, statement: str, *_: object) -> None:
            if not statement.startswith("BEGIN"):
                requests.append(statement)

        event.listen(self.database.engine, "before_cursor_execute", hear)
        try:
            yield requests
        finally:
            event.remove(self.database.engine, "before_cursor_execute", hear)

    def opened(self, rest: str) -> Callable[[], int]:
        """Make ready to open a page of the session."""
        return lambda: self.phone.open(self.page + rest).status

    def previewed(self, number: str) -> Callable[[], int]:
        """Make ready to preview a form as it is being filled in."""
        rest = "/new" if number == "new" else f"/{number}/correct"
        form = self.phone.open(f"{self.page}/hands{rest}").form(rest)
        form.action = f"{self.page}/hands{'' if number == 'new' else f'/{number}'}/preview"
        return lambda: self.phone.send(form, **FORM).status

    def scored(self) -> Callable[[], int]:
        """Make ready to save the form of the next hand."""
        form = self.phone.open(f"{self.page}/hands/new").form("/new")
        preview = self.phone.send(form, **FORM).form("/new")
        return lambda: self.phone.send(preview, do="save").status


@pytest.fixture
def seven(app: Flask, database: Database, club: Access) -> Table:
    """The table with counted statements."""
    return Table(app, database, club)


ASKS: dict[str, tuple[Callable[[Table], Callable[[], int]], int, int]] = {
    "nothing new": (lambda at: at.opened(f"?revision={at.revision}"), 204, 1),
    "the board": (lambda at: at.opened(""), 200, 3),
    # One more than the board: whether the reader of its notice may undo it.
    "the board after a hand": (lambda at: at.opened("?saved=3"), 200, 4),
    "the chart": (lambda at: at.opened("/chart"), 200, 4),
    "the history": (lambda at: at.opened("/history"), 200, 4),
    "the result": (lambda at: at.opened("/result"), 200, 5),
    "the hand form": (lambda at: at.opened("/hands/new"), 200, 2),
    "a preview": (lambda at: at.previewed("new"), 200, 2),
    "the correction form": (lambda at: at.opened("/hands/2/correct"), 200, 3),
    "a preview of a correction": (lambda at: at.previewed("2"), 200, 3),
    "saving by the page": (lambda at: at.scored(), 303, 18),
    "the program's session": (lambda at: lambda: at.program.get(at.path).status_code, 200, 3),
    "the program's dry run": (
        lambda at: lambda: at.program.dry(f"{at.path}/hands", table.HEARTS_74).status_code,
        200,
        3,
    ),
    "the program's save": (
        lambda at: lambda: at.program.post(f"{at.path}/hands", table.HEARTS_74).status_code,
        201,
        15,
    ),
    "the program's correction": (
        lambda at: (
            lambda: (
                at.program.put(
                    f"{at.path}/hands/2", {"hand": NOT_CORRECTED, "reason": "miscounted"}
                ).status_code
            )
        ),
        200,
        27,
    ),
}
"""What is done, how it is answered, and how many statements it takes at most."""


@pytest.mark.parametrize("what", ASKS)
def test_what_a_table_does_all_evening_asks_little(seven: Table, what: str) -> None:
    """No more statements than stated here."""
    prepare, answered, most = ASKS[what]
    act = prepare(seven)
    with seven.counted() as requests:
        status = act()
    assert status == answered
    assert len(requests) <= most, requests


def test_a_save_asks_as_much_after_many_hands(seven: Table) -> None:
    """The fortieth hand costs the statements of the fourth."""
    save = ASKS["the program's save"][0](seven)
    costs = []
    for _ in range(36):
        with seven.counted() as requests:
            save()
        costs.append(len(requests))
    assert len(set(costs)) == 1


def test_a_programs_save_is_one_transaction(seven: Table) -> None:
    """Its token is found in the transaction of its hand: a token revoked in between writes nothing."""
    begun: list[object] = []

    def hear(_c: object, _cursor: object, statement: str, *_: object) -> None:
        begun.extend([statement] if statement.startswith("BEGIN") else [])

    save = ASKS["the program's save"][0](seven)
    event.listen(seven.database.engine, "before_cursor_execute", hear)
    try:
        assert save() == 201
    finally:
        event.remove(seven.database.engine, "before_cursor_execute", hear)
    assert begun == ["BEGIN IMMEDIATE"]
