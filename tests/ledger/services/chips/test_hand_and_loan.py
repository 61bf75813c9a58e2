"""A hand saved together with the loan of who can't pay it: one write, undone in one."""

from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.chips import hand_and_loan
from ledger.services.session import activity
from ledger.services.session.load import find_row, load
from ledger.services.undo import last
from ledger.words.problems import Invalid, KeyReused
from tests.ledger import cash, table
from tests.ledger.table import ask, dry

LENDING = {**cash.ANN_WINS, "lend": True}
"""Ann is paid 50 by each of three who hold 30; the bank lends each of them 20."""


@pytest.fixture
def poor(database: Database, club: Access) -> int:
    """A table of four that started with 30 chips each."""
    return table.start(database, club, table.FOUR, starting_stack=30)


def record(database: Database, access: Access, session_id: int, hand: dict[str, Any]) -> Any:
    """Record a hand, with what is lent for it."""
    return hand_and_loan.record(table.write(database, access), session_id, hand)


def test_the_bank_lends_with_the_hand_what_each_lacks(
    database: Database, club: Access, poor: int
) -> None:
    """One revision, one key; a dry run says the same, and nobody is below nothing at any time."""
    shown = ask(database, club, dry(hand_and_loan.record), poor, LENDING)
    assert shown.said["short"] == {"Bob": 20, "Cyd": 20, "Dee": 20}
    write = table.write(database, club, 1)
    answer = hand_and_loan.record(write, poor, LENDING)
    assert (answer["lent"], answer["revision"]) == (shown.said["lent"], 2)
    assert answer["balances"] == shown.balances == {"Ann": 180, "Bob": 0, "Cyd": 0, "Dee": 0}
    moved = {move["name"]: move["amount"] for move in answer["moves"]}
    assert moved == {"Ann": 150, "Bob": -30, "Cyd": -30, "Dee": -30, "bank": -60}
    assert table.balances(database, club, poor) == answer["balances"]
    assert cash.nets(database, club, poor) == {"Ann": 150, "Bob": -50, "Cyd": -50, "Dee": -50}
    assert cash.kinds(database, club) == ["stack", "loan", "loan", "loan", "hand"]
    assert hand_and_loan.record(write, poor, LENDING) == answer
    with pytest.raises(KeyReused):
        hand_and_loan.record(write, poor, cash.ANN_WINS)
    assert list(verify(database)) == []


def test_undoing_the_hand_undoes_its_loans_too(database: Database, club: Access, poor: int) -> None:
    """In one write, as its look says; redone, the loans are made again with it."""
    before = table.balances(database, club, poor)
    record(database, club, poor, LENDING)
    after = ask(database, club, load, poor).seats
    look = ask(database, club, last.look, poor)
    assert look.preview is not None
    assert {move.name: move.amount for move in look.preview.moves} == {
        "Ann": -150,
        "bank": 60,
        **dict.fromkeys(("Bob", "Cyd", "Dee"), 30),
    }
    answer = last.undo(table.write(database, club, 2), poor)
    assert (answer["balances"], answer["revision"]) == (before, 3)
    assert table.balances(database, club, poor) == before
    assert {seat.lent for seat in ask(database, club, load, poor).seats} == {30}
    assert ask(database, club, load, poor).revision == 3
    again = ask(database, club, last.look, poor)
    assert (again.redo.what, again.redo.hand) == ("recorded", 1)  # type: ignore[union-attr]
    last.redo(table.write(database, club), poor)
    assert ask(database, club, load, poor).seats == after
    assert list(verify(database)) == []


def test_without_the_word_nothing_is_lent(database: Database, club: Access, poor: int) -> None:
    """The hand is saved as ever, and says who is short; somebody may have chips of another evening."""
    answer = record(database, club, poor, dict(cash.ANN_WINS))
    assert (answer["short"], answer["lent"]) == ({"Bob": 20, "Cyd": 20, "Dee": 20}, {})
    assert answer["balances"]["Bob"] == -20
    back = {"contract": {"bidder": "Bob", "bid": "go-alone", "trump": "S"}, "points": 85}
    lent = record(database, club, poor, {**back, "lend": True})["lent"]
    assert lent == {"Cyd": 70, "Dee": 70}  # what they were short of before, too
    assert table.balances(database, club, poor)["Cyd"] == 0


def test_a_table_that_counts_from_nought_lends_nothing(database: Database, club: Access) -> None:
    """Its house allows less than none."""
    played = table.start(database, club, table.FOUR)
    answer = record(database, club, played, LENDING)
    assert (answer["short"], answer["lent"], answer["balances"]["Bob"]) == ({}, {}, -50)


def test_the_word_is_true_or_false(database: Database, club: Access, poor: int) -> None:
    """Anything else is refused at its field, and nothing is saved."""
    before = table.row_counts(database)
    with pytest.raises(Invalid) as caught:
        record(database, club, poor, {**cash.ANN_WINS, "lend": "yes"})
    assert [fault.field for fault in caught.value.faults] == ["lend"]
    assert table.row_counts(database) == before


def test_the_second_scorer_is_told_of_the_hand_not_of_its_loans(
    database: Database, club: Access, poor: int
) -> None:
    """They are one change."""
    record(database, club, poor, LENDING)
    with database.read(club) as session:
        missed = activity.since(session, find_row(session, poor), 1)
    assert [(each.what, each.hand) for each in missed] == [("recorded", 1)]
