"""Bodies made to be slow: for any body up to a megabyte, the answer costs little and is no 5xx."""

import gc
import json
import time
from collections.abc import Callable, Iterator

import pytest

from ledger.api import body
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.http.failures import MOST_BYTES
from tests.ledger.api.caller import Caller
from tests.ledger.table import HEARTS_74, row_counts, start

MARKS = "e" + "\u0301\u0316" * 30_000
"""Combining marks in disorder: to put them in order takes the square of their number."""
LONG_KEY = "k" * 60_000
FEW = body.MOST_MARKS // 4
"""So many, four times in a body, are still read."""
SLOWEST = 0.5
"""Seconds of processor time."""

TOO_MUCH: dict[str, Callable[[], object]] = {
    "combining marks": lambda: MARKS,
    "combining marks as a key": lambda: {MARKS: 1},
    "ligatures that become words": lambda: "\ufdfa" * 300_000,
    "one long word": lambda: "a" * 900_000,
    "blanks": lambda: " " * 900_000,
    "zeros": lambda: "\0" * 100_000,
    "half characters": lambda: "\ud800" * 150_000,
    "keys": lambda: {f"k{each}": each for each in range(60_000)},
    "a key in a key": lambda: {LONG_KEY: {LONG_KEY: {LONG_KEY: list(range(50_000))}}},
    "a long list": lambda: list(range(140_000)),
    "empty lists": lambda: [[]] * 300_000,
    "empty objects": lambda: [{}] * 300_000,
    "the same name": lambda: ["Ann"] * 120_000,
    "deep lists": lambda: json.loads("[" * 900 + "]" * 900),
}
"""Values that are refused before any field is looked at, so that two addresses stand for all."""

READ: dict[str, Callable[[], object]] = {
    "a long number": lambda: 10**4_000,
    "long numbers": lambda: [10**4_000] * 200,
    "most marks": lambda: "e" + "\u0301\u0316" * 4_999,
    "most ligatures": lambda: "\ufdfa" * body.LONGEST_TEXT,
    "most keys": lambda: {f"k{each}": each for each in range(FEW)},
    "most cards": lambda: ["QC"] * FEW,
    "most names": lambda: [f"P{each}" for each in range(FEW)],
    "most objects": lambda: [{"a": 1}] * (FEW // 2),
    "most keys in keys": lambda: {"k" * 199: {"l" * 199: {"m" * 199: ["x"] * FEW}}},
}
"""As much as is read at all."""

PLACES: list[tuple[str, Callable[[object], object]]] = [
    ("/clubs", lambda it: {"name": it, "passcode": "123456"}),
    ("/clubs", lambda it: {"name": "Ann", "passcode": it}),
    ("/score", lambda it: {"game": "six-bid", "players": it, "dealer": "Ann"}),
    ("/score", lambda it: {"game": it, "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann"}),
    ("/score", lambda it: it if isinstance(it, dict) else {"x": it}),
    ("/score", lambda it: {"options": it, "game": "six-bid", "players": ["A", "B", "C"]}),
    (
        "/score",
        lambda it: {
            "game": "six-bid",
            "players": ["A", "B", "C"],
            "dealer": "A",
            "hands": {"A": it},
            "auction": it,
            "tricks": it,
            "widow": it,
            "contract": it,
        },
    ),
    ("/sessions", lambda it: {"game": "crazy-solo", "players": it, "title": it, "options": it}),
    ("/sessions/1/hands", lambda it: {**HEARTS_74, "contract": it, "note": it}),
    ("/sessions/1/loans", lambda it: {"player": it, "chips": it, "reason": it}),
    ("/sessions/1/counts", lambda it: {"counts": it, "counted": it}),
]


@pytest.fixture(autouse=True)
def nothing_of_other_tests() -> Iterator[None]:
    """Exclude earlier tests' objects from garbage collection, so that it adds nothing to a body's time."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def sender(database: Database, club: Access, sue: Caller) -> Caller:
    """A scorer of a club with an evening."""
    assert start(database, club) == 1
    return sue


@pytest.mark.parametrize("shape", [*TOO_MUCH, *READ])
def test_no_body_up_to_a_megabyte_keeps_a_processor_busy(
    sender: Caller, database: Database, shape: str
) -> None:
    """Any shape at any place is refused within half a second, and nothing is written."""
    before = row_counts(database)
    is_read = shape in READ
    for path, around in PLACES if is_read else (PLACES[4], PLACES[8]):
        data = json.dumps(around((READ if is_read else TOO_MUCH)[shape]())).encode()[:MOST_BYTES]
        begun = time.process_time()
        answer = sender.post(path, data=data, content_type="application/json")
        assert time.process_time() - begun < SLOWEST, path
        scored = {200} if is_read and path == "/score" else set()  # a readable hand that is refused
        assert answer.status_code in {400, 422} | scored, path
    assert row_counts(database) == before


def test_a_text_or_a_key_that_no_field_takes_is_refused_where_it_stands(anyone: Caller) -> None:
    """A text that is too long is named with its place and the limit; a key is shown cut."""
    for fields, field in (({"name": "a" * 10_001}, "name"), ({"k" * 201: 1}, "k" * 57 + "…")):
        answer = anyone.post("/score", fields)
        assert answer.status_code == 422
        (fault,) = answer.json["errors"]
        assert (fault["field"], fault["code"]) == (field, "text-too-long")
        assert "the limit is" in fault["message"]


def test_more_values_than_any_body_needs_are_refused_before_they_are_read(anyone: Caller) -> None:
    """The marks between values are counted in the bytes, before parsing."""
    answer = anyone.post("/score", data="[" * 30_000, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json["detail"] == "The body holds more than 5,000 commas and brackets; send less."
