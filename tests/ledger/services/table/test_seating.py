"""Seats: the players who may take one, their order, and the limits of a small table."""

from typing import Any

import pytest

from ledger.services.hands import record
from ledger.services.table import seating
from ledger.words.problems import Invalid
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """Ann, Bob, Cyd and Dee play Crazy Solo."""
    return sqlite_club.start(starting_stack=150)


@pytest.mark.parametrize(
    ("newcomer", "field", "code"),
    [
        ({"player": "ann"}, "player", "seated-already"),
        ({"player": ""}, "player", "name-empty"),
        ({"player": "Frog pot"}, "player", "name-reserved"),
        ({"player": "Eve", "position": 5}, "position", "no-such-place"),
        ({"player": "Eve", "position": -1}, "position", "no-such-place"),
    ],
)
def test_who_cannot_join_is_refused_at_the_field(
    evening: Evening, newcomer: dict[str, Any], field: str, code: str
) -> None:
    """And nobody is entered."""
    with evening.club.refuses(Invalid, at=field, code=code):
        evening.do(seating.join, **newcomer)


def test_a_newcomers_name_is_cleaned(evening: Evening) -> None:
    """As every name is; the response names the entry of the newcomer's stack."""
    entry, moved = evening.entry(evening.join("  Zoë "))
    assert (entry.kind, moved) == ("stack", {"Zoë": 150, "bank": -150})
    assert evening.present[-1] == "Zoë"


def test_seats_change_between_hands_and_old_hands_keep_theirs(evening: Evening) -> None:
    """The seats decide the lead; the record of the first hand stays as it was."""

    def seats_of(hand: int) -> object:
        return evening.read(table.version_record, hand)[0]["players"]

    evening.record(cash.ANN_WINS)
    order = ["Ann", "Dee", "Bob", "Cyd"]
    evening.do(seating.change_seats, order=order)
    assert evening.turn == ("Bob", "Cyd")
    evening.record(cash.ANN_WINS)
    assert (seats_of(1), seats_of(2)) == (list(table.FOUR), order)
    evening.correct(1, {**cash.ANN_WINS, "points": 90})
    assert seats_of(1) == list(table.FOUR)


@pytest.mark.parametrize(
    "order", [["Ann", "Bob", "Cyd"], ["Ann", "Bob", "Cyd", "Cyd"], ["Ann", "Bob", "Cyd", "Eve"]]
)
def test_a_new_order_names_everybody_once(evening: Evening, order: list[str]) -> None:
    """With the players who sit out."""
    evening.sit_out("Dee")
    with evening.club.refuses(Invalid, "Ann, Bob, Cyd, Dee", at="order"):
        evening.do(seating.change_seats, order=order)


def test_a_table_that_is_too_small_says_so_before_a_hand_is_written(evening: Evening) -> None:
    """Two play no Crazy Solo; the table can stay so until somebody comes back."""
    evening.sit_out("Ann", "Bob")
    with evening.club.refuses(Invalid, code="table-size"):
        evening.read(record.propose)
    with evening.club.refuses(Invalid, code="table-size"):
        evening.record(cash.ANN_WINS)
    evening.sit_out("Cyd", "Dee")
    with evening.club.refuses(Invalid):
        evening.read(record.propose)


def test_a_retried_join_seats_one(evening: Evening) -> None:
    """The first answer again, not a refusal because the seat is taken."""
    write = evening.club.write()
    answer = seating.join(write, evening.id, player="Eve")
    assert seating.join(write, evening.id, player="Eve") == answer
    assert evening.present == ["Ann", "Bob", "Cyd", "Dee", "Eve"]
