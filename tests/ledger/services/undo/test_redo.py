"""Undo as a stack, and redo: after any steps, each one back and forward restores the state of the time."""

from collections.abc import Callable
from typing import Any

import pytest

from ledger.services.chips import adjust, hand_and_loan
from ledger.services.session.view import Rate
from ledger.services.table import seating
from ledger.services.undo import leaving
from ledger.services.undo.last import NothingToRedo
from ledger.services.undo.reverse import CannotUndo
from tests.ledger import cash
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.services.scenarios import newest
from tests.ledger.services.undo.an_evening import FROG_WON, frog, redo, state, tonight, undo

COUNTS = {"Bob": {20: 4}, "Ann": {30: 11}}
LENDING = {**cash.ANN_WINS, "lend": True}

DEEDS: dict[str, tuple[str, Callable[[Evening], Any]]] = {
    "hand": ("recorded", lambda e: frog(e, 40)),
    "correction": ("corrected", lambda e: e.correct(1, FROG_WON)),
    "voiding": ("voided", lambda e: e.void(1)),
    "restoring": ("restored", lambda e: e.restore(3)),
    "loan": ("loan", lambda e: e.lend("Cyd", 25)),
    "repayment": ("repayment", lambda e: e.repay("Bob", 30)),
    "adjustment": ("adjustment", lambda e: e.adjust("Bob", -5)),
    "adjustment from a pot": ("adjustment", lambda e: e.adjust("Bob", 4, pot="frog")),
    "pots shared": ("pots-shared", lambda e: e.do(adjust.share_pots)),
    "count": ("count", lambda e: e.count(COUNTS)),
    "count that is posted": ("adjustment", lambda e: e.count(COUNTS, post=True)),
    "joining": ("stack", lambda e: e.join("Eve", position=1)),
    "leaving": ("cash-out", lambda e: e.leave("Bob")),
    "sitting out": ("sitting-out", lambda e: e.sit_out("Cyd")),
    "coming back": ("coming-back", lambda e: e.come_back("Dee")),
    "seats": (
        "seats-changed",
        lambda e: e.do(seating.change_seats, order=["Cyd", "Ann", "Dee", "Bob"]),
    ),
    "rules": ("rules-changed", lambda e: e.play("progressive", options={"pots": {"stake": 10}})),
    "rate": ("rate-set", lambda e: e.set_rate(Rate(7, 3))),
    "no rate": ("rate-set", lambda e: e.set_rate(None)),
    "pause": ("pause", lambda e: e.pause()),
    "taking a loan back": ("reversal", lambda e: e.take_back(newest(e, "loan"))),
}
"""What can be done at a table, by the name that undo has for it."""


@pytest.mark.parametrize("deed", DEEDS)
def test_two_steps_back_and_two_forward_come_to_the_same(sqlite_club: CardClub, deed: str) -> None:
    """Balances, seats, rules, pots, sums and the turn: before, between and after."""
    evening = tonight(sqlite_club)
    kind, act = DEEDS[deed]
    states = [state(evening)]
    act(evening)
    states.append(state(evening))
    assert states[0] != states[1]
    names = evening.present
    evening.do(seating.change_seats, order=[names[-1], *names[:-1]])
    states.append(state(evening))
    for _ in range(2):
        undo(evening)
        assert state(evening) == states[1]
        assert undo(evening)["undone"] == kind
        assert state(evening) == states[0]
        assert redo(evening)["redone"] == kind
        assert state(evening) == states[1]
        redo(evening)
        assert state(evening) == states[2]
    with pytest.raises(NothingToRedo):
        redo(evening)
    sqlite_club.must_verify()


def test_every_kind_of_step_is_undone_to_the_first_and_redone_to_the_last(
    any_club: CardClub,
) -> None:
    """One evening with all of them, in one order; nothing else is ever undone in between."""
    evening = tonight(any_club)
    for _ in range(6):
        undo(evening)
    with pytest.raises(CannotUndo, match="Everybody began with these chips"):
        undo(evening)
    for _ in range(6):
        redo(evening)
    states = [state(evening)]
    for deed in (
        *("coming back", "hand", "adjustment from a pot", "hand", "loan", "correction", "count"),
        *("joining", "restoring", "taking a loan back", "rules", "voiding", "leaving"),
    ):
        DEEDS[deed][1](evening)
        states.append(state(evening))
    for _ in range(2):
        for before in states[-2::-1]:
            undo(evening)
            assert state(evening) == before
        for after in states[1:]:
            redo(evening)
            assert state(evening) == after
    any_club.must_verify()


@pytest.mark.parametrize("rate", [None, Rate(7, 3)])
def test_cashing_chips_in_is_undone_and_redone(sqlite_club: CardClub, rate: Rate | None) -> None:
    """At the agreed rate, or at another one, which is then agreed on again, too."""
    evening = sqlite_club.start(starting_stack=150, rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    before = state(evening)
    evening.convert(rate)
    after = state(evening)
    assert undo(evening)["undone"] == "conversion"
    assert state(evening) == before
    redo(evening)
    assert state(evening) == after
    sqlite_club.must_verify()


def test_a_hand_and_the_loan_made_with_it_are_one_step(sqlite_club: CardClub) -> None:
    """Both are undone together and redone together."""
    evening = sqlite_club.start(starting_stack=5)
    states = [state(evening)]
    assert evening.do(hand_and_loan.record, LENDING)["lent"]
    states.append(state(evening))
    answer = undo(evening)
    assert (answer["undone"], answer["hand"], answer["loans"]) == ("recorded", 1, 3)
    assert state(evening) == states[0]
    answer = redo(evening)
    assert (answer["redone"], answer["hand"], answer["loans"]) == ("recorded", 1, 3)
    assert state(evening) == states[1]
    assert evening.view.revision == 4
    undo(evening)
    assert state(evening) == states[0]


def test_a_correction_after_a_leaving_is_one_step_with_what_it_settles(any_club: CardClub) -> None:
    """Undone and redone with it, then the leaving too; the next leaving takes the sum of both."""
    evening = tonight(any_club)
    states = [state(evening)]
    evening.leave("Bob")
    states.append(state(evening))
    evening.correct(1, FROG_WON)
    states.append(state(evening))
    for _ in range(2):
        for before in (states[1], states[0]):
            undo(evening)
            assert state(evening) == before
        for after in (states[1], states[2]):
            redo(evening)
            assert state(evening) == after
    evening.do(leaving.take_back, player="Bob", reason="he stays")
    back = state(evening)
    for _ in range(2):
        undo(evening)
        assert state(evening) == states[2]
        redo(evening)
        assert state(evening) == back
    any_club.must_verify()
