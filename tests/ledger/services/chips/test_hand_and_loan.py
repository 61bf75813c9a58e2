"""A hand saved together with the loan of who can't pay it: one write, undone in one."""

import pytest

from ledger.services.chips import hand_and_loan
from ledger.services.common.stakes import MOST_CHIPS
from ledger.services.reads import accounts
from ledger.services.session import activity
from ledger.services.session.load import find_row
from ledger.services.undo import last
from ledger.words.problems import Invalid, KeyReused
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening

LENDING = {**cash.ANN_WINS, "lend": True}
"""Ann is paid 50 by each of three who have 30; the bank lends each of them 20."""


@pytest.fixture
def poor(sqlite_club: CardClub) -> Evening:
    """A table of four that started with 30 chips each."""
    return sqlite_club.start(starting_stack=30)


def test_the_bank_lends_with_the_hand_what_each_lacks(poor: Evening) -> None:
    """One revision, one key; a preview states the same, and nobody is below zero at any time."""
    preview = poor.preview(hand_and_loan.record, LENDING)
    assert preview.extra["short"] == {"Bob": 20, "Cyd": 20, "Dee": 20}
    write = poor.club.write(1)
    answer = hand_and_loan.record(write, poor.id, LENDING)
    assert (answer["lent"], answer["revision"]) == (preview.extra["lent"], 2)
    assert answer["balances"] == preview.balances == {"Ann": 180, "Bob": 0, "Cyd": 0, "Dee": 0}
    moved = {move["name"]: move["amount"] for move in answer["moves"]}
    assert moved == {"Ann": 150, "Bob": -30, "Cyd": -30, "Dee": -30, "bank": -60}
    assert poor.balances == answer["balances"]
    assert poor.nets == {"Ann": 150, "Bob": -50, "Cyd": -50, "Dee": -50}
    assert poor.club.kinds == ["stack", "loan", "loan", "loan", "hand"]
    assert poor.read(accounts.entries)[0][1].details == {"for_hand": 1}
    assert hand_and_loan.record(write, poor.id, LENDING) == answer
    with poor.club.refuses(KeyReused):
        hand_and_loan.record(write, poor.id, cash.ANN_WINS)
    poor.club.must_verify()
    with poor.club.db.read(poor.club.access) as session:
        missed = activity.since(session, find_row(session, poor.id), 1)
    assert [(action.what, action.hand) for action in missed] == [("recorded", 1)]  # one change


def test_undoing_the_hand_undoes_its_loans_too(poor: Evening) -> None:
    """In one write, as its preview says; redone, the loans are made again with it."""
    before = poor.balances
    poor.do(hand_and_loan.record, LENDING)
    after = poor.view.seats
    look = poor.read(last.look)
    assert look.preview is not None
    others = dict.fromkeys(("Bob", "Cyd", "Dee"), 30)
    assert {move.name: move.amount for move in look.preview.moves} == {
        "Ann": -150,
        "bank": 60,
        **others,
    }
    answer = last.undo(poor.club.write(2), poor.id)
    assert (answer["balances"], answer["revision"]) == (before, 3)
    assert poor.balances == before
    assert {seat.lent for seat in poor.view.seats} == {30}
    assert poor.view.revision == 3
    redo = poor.read(last.look).redo
    assert redo is not None
    assert (redo.what, redo.hand) == ("recorded", 1)
    poor.redo()
    assert poor.view.seats == after
    poor.club.must_verify()


def test_without_the_word_nothing_is_lent(poor: Evening) -> None:
    """The hand is saved as ever, and says who is short; somebody may have chips of another evening."""
    answer = poor.do(hand_and_loan.record, cash.ANN_WINS)
    assert (answer["short"], answer["lent"]) == ({"Bob": 20, "Cyd": 20, "Dee": 20}, {})
    assert answer["balances"]["Bob"] == -20
    back = {"contract": {"bidder": "Bob", "bid": "go-alone", "trump": "S"}, "points": 85}
    lent = poor.do(hand_and_loan.record, {**back, "lend": True})["lent"]
    assert lent == {"Cyd": 70, "Dee": 70}  # what they were short of before, too
    assert poor.balances["Cyd"] == 0


def test_a_table_that_counts_from_zero_lends_nothing(sqlite_club: CardClub) -> None:
    """Its house allows less than none; nor does a table that has just enough, or counts points."""
    stacked = sqlite_club.start(starting_stack=50)
    enough = stacked.preview(hand_and_loan.record, LENDING)
    assert (enough.extra["short"], enough.balances["Bob"]) == ({}, 0)
    stacked.play("german-solo")
    lost = table.german_solo("Bob", made=False)
    assert stacked.do(hand_and_loan.record, lost)["short"] == {}
    answer = sqlite_club.start().do(hand_and_loan.record, LENDING)
    assert (answer["short"], answer["lent"], answer["balances"]["Bob"]) == ({}, {}, -50)


def test_the_word_is_true_or_false(poor: Evening) -> None:
    """Anything else is refused at its field, as is more than one loan may have; nothing is saved."""
    with poor.club.refuses(Invalid, at="lend"):
        poor.do(hand_and_loan.record, {**cash.ANN_WINS, "lend": "yes"})
    poor.adjust("Bob", -MOST_CHIPS)
    with poor.club.refuses(Invalid, at="lend"):
        poor.do(hand_and_loan.record, LENDING)
