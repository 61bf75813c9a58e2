"""Founding a club: the club, its viewer link and its founder's key are there together, or none of them is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import event

from ledger.books.transactions import Database
from ledger.services.audit import verify
from ledger.words.problems import Unreachable
from tests.ledger import table
from tests.ledger.api.caller import Caller
from tests.ledger.web.phone import Phone

FRIDAY = {"name": "Friday", "passcode": "four aces", "author": "Ann"}


@contextmanager
def gone_after(database: Database, number: int) -> Iterator[list[str]]:
    """Let the database fail after so many statements; give those that came to it."""
    statements: list[str] = []

    def hear(_c: object, _cursor: object, statement: str, *_: object) -> None:
        if len(statements) == number:
            raise Unreachable("the database is gone")
        statements.append(statement)

    event.listen(database.engine, "before_cursor_execute", hear)
    try:
        yield statements
    finally:
        event.remove(database.engine, "before_cursor_execute", hear)


def by_page(app: Flask) -> int:
    """Found it on the page."""
    phone = Phone(app)
    return phone.send(phone.open("/start").form("/start"), **FRIDAY).status


def by_program(app: Flask) -> int:
    """Found it over the API."""
    return Caller(app, "").post("/clubs", FRIDAY).status_code


@pytest.mark.parametrize(("found", "key"), [(by_page, "device"), (by_program, "api_token")])
def test_after_a_crash_at_any_statement_nothing_is_half_founded(
    app: Flask, database: Database, found: Callable[[Flask], int], key: str
) -> None:
    """Nor is the name taken: the next try gets the club, its link and a key to it, in one entry."""
    answered, after = 503, 0
    while answered == 503:
        assert set(table.row_counts(database).values()) == {0}, after
        with gone_after(database, after) as statements:
            answered = found(app)
        after += 1
    assert sum(each.startswith("BEGIN IMMEDIATE") for each in statements) == 1
    counts = table.row_counts(database)
    assert {name: counts[name] for name in ("club", "link", key, "journal_entry")} == dict.fromkeys(
        ("club", "link", key, "journal_entry"), 1
    )
    assert answered in (201, 303)
    assert list(verify(database)) == []
