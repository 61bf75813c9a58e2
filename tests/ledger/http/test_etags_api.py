"""An API read is a 304, with nothing read for it, while the club's last entry is the last; any act is one."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import pytest
from flask import Flask
from sqlalchemy import event, text

from ledger.books import journal
from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.chips import count
from ledger.services.club import clubs, players, tokens
from ledger.services.money import currency
from ledger.services.table import lifecycle, same_table, seating, start
from ledger.services.undo import last
from tests.ledger import cash, table
from tests.ledger.api.caller import Caller, Reply
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import ask
from tests.ledger.web.phone import Phone

Act = Callable[[Database, Access, int], object]
T = TypeVar("T")

HAND = {"contract": {"bidder": "Bob", "bid": "solo", "trump": "S"}, "points": 72, "dealer": "Dee"}


def _act(act: Callable[..., object], *sent: object, **named: object) -> Act:
    """Make an act of a write; without anything ``sent`` it is one in the session."""
    return lambda db, club, evening: act(table.write(db, club), *(sent or (evening,)), **named)


ACTS: Mapping[str, Act] = {
    "a player's name": _act(players.rename, 1, name="Zoë"),
    "a player more": lambda db, club, _: players.add(table.write(db, club), name="Kim"),
    "a player who comes no more": _act(players.archive, 4),
    "a title": _act(lifecycle.rename, title="At Dee's"),
    "a hand": lambda db, club, evening: table.record(db, club, evening, HAND),
    "a correction": lambda db, club, evening: table.correct(
        db, club, evening, 2, {**HAND, "points": 64}
    ),
    "a void hand": lambda db, club, evening: table.void(db, club, evening, 2),
    "an undo": _act(last.undo),
    "a loan": lambda db, club, evening: cash.lend(db, club, evening, "Cyd", 5),
    "a count": lambda db, club, evening: count.record(
        table.write(db, club), evening, {"Cyd": {5: 1}}
    ),
    "who sits out": _act(seating.sit_out, player="Cyd"),
    "who comes back": _act(seating.come_back, player="Cyd"),
    "who joins": lambda db, club, evening: cash.join(db, club, evening, "Lou"),
    "who leaves": lambda db, club, evening: cash.leave(db, club, evening, "Lou"),
    "other rules": _act(start.change_rules, game="six-bid", variant="pagat", options={}),
    "a break": _act(lifecycle.pause),
    "its end": _act(lifecycle.resume),
    "a payment": lambda db, club, _: cash.pay(db, club, "Bob", "Zoë", 2),
    "other chips": lambda db, club, _: currency.change(
        table.write(db, club), denominations=[1, 20]
    ),
    "the end": _act(lifecycle.close),
    "no end": _act(lifecycle.reopen),
    "another evening": _act(same_table.start_again),
}
"""What somebody does meanwhile, one after the other."""

PLACES = (
    *("/players", "/players/1", "/players/1/statistics", "/players/1/evenings"),
    *("/players/1/statement", "/sessions", "/evenings", "/head-to-head"),
    *("/club/money", "/club/settlement", "{}", "{}/hands", "{}/hands/1", "{}/standings"),
    *("{}/accounts", "{}/entries", "{}/settlement", "{}/chips", "{}/undo"),
)


@pytest.fixture
def evening(database: Database, club: Access) -> int:
    """An evening going on; another was paid."""
    paid = table.start(database, club, table.FOUR, rate=cash.TEN_FOR_ONE, title="Paid")
    table.record(database, club, paid, cash.ANN_WINS)
    cash.convert(database, club, paid)
    played = table.start(
        database, club, table.FOUR, "six-bid", starting_stack=100, first_dealer="Dee"
    )
    table.record(database, club, played, HAND)
    return played


@pytest.fixture
def program(app: Flask, database: Database, club: Access) -> Caller:
    """A program that follows the club."""
    secret, _ = tokens.issue(database, club, label="tablet", role=Role.VIEWER)
    return Caller(app, secret)


def places(evening: int) -> list[str]:
    """Return every address that shows content of the books."""
    return [place.format(f"/sessions/{evening}") for place in PLACES]


def again_with(program: Caller, place: str, seen: Reply, **headers: str) -> Reply:
    """Request again, with the copy in ``seen``."""
    return program.get(place, headers={"If-None-Match": seen.headers["ETag"], **headers})


def test_after_any_act_nothing_old_is_told(
    program: Caller, database: Database, club: Access, evening: int
) -> None:
    """Each is an entry of the club, so the next request is answered with new content, at every address."""
    answers = {place: program.get(place) for place in places(evening)}
    for name, act in ACTS.items():
        before = ask(database, club, journal.head)
        act(database, club, evening)
        assert ask(database, club, journal.head) != before, name
        for place, had in answers.items():
            answers[place] = again_with(program, place, had)
            assert answers[place].status_code == 200, (name, place)


def statements(database: Database, ask: Callable[[], T]) -> tuple[T, int]:
    """Return an answer, and how many statements were sent for it."""
    requests: list[str] = []

    def hear(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        requests.append(statement)

    event.listen(database.engine, "before_cursor_execute", hear)
    try:
        return ask(), len(requests)
    finally:
        event.remove(database.engine, "before_cursor_execute", hear)


def test_who_has_the_answer_is_told_so_before_anything_is_read(
    program: Caller, database: Database, evening: int
) -> None:
    """But for the token and the last entry; the tag still names the session's revision."""
    for place in places(evening):
        copy = program.get(place)
        same, requests = statements(database, partial(again_with, program, place, copy))
        assert (same.status_code, same.data) == (304, b""), place
        assert same.headers["ETag"] == copy.headers["ETag"]
        assert requests == len(("BEGIN", "the token", "the last entry"))
    session = program.get(f"/sessions/{evening}")
    assert session.headers["ETag"].startswith(f'"{session.json["revision"]}-')


def test_another_reader_another_question_or_another_language_is_another_answer(
    app: Flask, program: Caller, database: Database, club: Access, evening: int
) -> None:
    """A tag does for its own token, address and language."""
    place = f"/sessions/{evening}/hands"
    copy = program.get(place)
    secret, token = tokens.issue(database, club, label="laptop", role=Role.SCORER)
    assert again_with(Caller(app, secret), place, copy).status_code == 200
    copy = program.get(place)
    assert again_with(program, f"{place}?page=2", copy).status_code == 200
    assert again_with(program, f"/sessions/{evening}/standings", copy).status_code == 200
    german = again_with(program, place, copy, **{"Accept-Language": "de"})
    assert (german.status_code, german.headers["Content-Language"]) == (200, "de")
    assert again_with(program, place, copy).status_code == 304
    tokens.revoke(database, club, token.id)
    assert again_with(Caller(app, secret), place, copy).status_code == 401


@pytest.mark.parametrize(
    ("place", "noted"),
    [
        ("/tokens", "UPDATE api_token SET last_used_at = '2026-01-31 21:15:00'"),
        ("/devices", "UPDATE device SET last_used_at = '2026-01-31 21:15:00'"),
        ("/log", "UPDATE security_event SET times = times + 1"),
    ],
)
def test_what_is_no_entry_is_read_each_time(
    app: Flask, database: Database, club: Access, place: str, noted: str
) -> None:
    """The times of last use of tokens and devices, and tried passcodes, are noted without one."""
    secret, _ = tokens.issue(database, club, label="owner", role=Role.OWNER)
    Phone(app).enter(ask(database, club, clubs.show).name, PASSCODE, "Mia")
    owner = Caller(app, secret)
    copy = owner.get(place)
    with database.engine.begin() as books:
        books.execute(text(noted))
    assert again_with(owner, place, copy).status_code == 200
