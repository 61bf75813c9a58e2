"""What was done in a session, told to who did not see it."""

import re

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.chips import bank
from ledger.services.hands import correct
from ledger.services.session.load import load
from ledger.services.table import lifecycle, seating
from ledger.services.undo import last
from ledger.words.problems import Stale
from tests.ledger import cash, table
from tests.ledger.table import ask


@pytest.fixture
def seen(database: Database, club: Access) -> tuple[int, int]:
    """An evening with two hands and a loan, and its revision, which somebody looks at."""
    evening_id = table.start(database, club, table.FOUR, starting_stack=150)
    table.record(database, club, evening_id, cash.ANN_WINS)
    table.record(database, club, evening_id, table.ALL_PASS)
    cash.lend(database, club, evening_id, "Bob", 20)
    return evening_id, ask(database, club, load, evening_id).revision


def told(database: Database, access: Access, seen: tuple[int, int]) -> str:
    """Write what no page shows any more; return what is said was done meanwhile, without the hours."""
    evening_id, revision = seen
    with pytest.raises(Stale) as caught:
        bank.lend(
            table.write(database, access, revision),
            evening_id,
            player="Dee",
            chips=1,
        )
    said = re.sub(r" \(Sue, \d\d:\d\d\)", "", caught.value.message)
    found = re.fullmatch(
        r"Somebody else changed “Evening 1” meanwhile: (.*)\. Nothing of yours was saved; "
        r"look at what is new, then save again\.",
        said,
    )
    assert found, said
    return found[1]


def test_a_second_scorer_is_told_what_was_corrected_lent_and_voided(
    database: Database, club: Access, seen: tuple[int, int]
) -> None:
    """What was done before they looked is not new to them; the newest stands last."""
    evening_id, _ = seen
    table.correct(database, club, evening_id, 1, {**cash.ANN_WINS, "points": 95})
    assert told(database, club, seen) == "hand 1 was corrected"
    cash.lend(database, club, evening_id, "Ann", 30)
    table.void(database, club, evening_id, 2)
    assert told(database, club, seen) == (
        "hand 1 was corrected, the bank lent Ann 30 chips, hand 2 was voided"
    )


def test_a_second_scorer_is_told_of_the_last_three_and_how_many_there_are_besides(
    database: Database, club: Access, seen: tuple[int, int]
) -> None:
    """After a long break one line is enough."""
    evening_id, _ = seen
    seating.sit_out(table.write(database, club), evening_id, player="Dee")
    lifecycle.pause(table.write(database, club), evening_id)
    lifecycle.resume(table.write(database, club), evening_id)
    for _ in range(2):
        cash.lend(database, club, evening_id, "Cyd", 5)
    loan = "the bank lent Cyd 5 chips"
    assert (
        told(database, club, seen) == f"2 earlier changes, the session was resumed, {loan}, {loan}"
    )


def test_a_second_scorer_is_told_what_was_undone(
    database: Database, club: Access, seen: tuple[int, int]
) -> None:
    """The loan that both saw, and the older hand, each by its name."""
    evening_id, _ = seen
    last.undo(table.write(database, club), evening_id)
    correct.void(table.write(database, club), evening_id, 1, reason="misdeal")
    last.undo(table.write(database, club), evening_id)
    assert told(database, club, seen) == (
        "undone: the bank lent Bob 20 chips, hand 1 was voided, undone: hand 1 was voided"
    )


def test_a_second_scorer_is_told_of_a_change_not_of_the_hands_that_followed(
    database: Database, club: Access
) -> None:
    """A correction that pays a later hand anew is one thing."""
    evening_id = table.start(
        database, club, table.FOUR, "progressive", options={"pots": {"stake": 5}}
    )
    for _ in range(3):
        table.record(database, club, evening_id, table.ALL_PASS)
    revision = ask(database, club, load, evening_id).revision
    table.void(database, club, evening_id, 1)
    assert told(database, club, (evening_id, revision)) == "hand 1 was voided"


def test_a_name_from_right_to_left_turns_no_hour_around(database: Database, club: Access) -> None:
    """It is fenced off; other names need no fence."""
    evening_id = table.start(database, club, ("אבי", "Bob", "Dee"))
    revision = ask(database, club, load, evening_id).revision
    cash.lend(database, club, evening_id, "אבי", 30)
    said = told(database, club, (evening_id, revision))
    assert said == "the bank lent \u2068אבי\u2069 30 chips"
