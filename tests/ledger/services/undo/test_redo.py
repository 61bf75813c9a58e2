"""Undo as a stack, and redo: whatever was done, every step back and forward comes to what it was then."""

from collections.abc import Callable
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.chips import adjust, bank, count, hand_and_loan
from ledger.services.club import clubs
from ledger.services.money import convert
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import lifecycle, seating, start
from ledger.services.undo import entry as undo_entry
from ledger.services.undo.last import NothingToRedo
from ledger.services.undo.reverse import CannotUndo
from tests.ledger import cash, table
from tests.ledger.services.undo.an_evening import FROG_WON, frog, redo, state, tonight, undo
from tests.ledger.table import ask

Do = Callable[[Database, Access, int], Any]


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def by_write(act: Callable[..., Any], *told: Any, **named: Any) -> Do:
    """Make a deed of a service that writes."""
    return lambda db, access, played: act(table.write(db, access), played, *told, **named)


DEEDS: dict[str, Do] = {
    "hand": lambda db, access, played: frog(db, access, played, 40),
    "correction": lambda db, access, played: table.correct(db, access, played, 1, FROG_WON),
    "voiding": lambda db, access, played: table.void(db, access, played, 1),
    "restoring": lambda db, access, played: cash.restore(db, access, played, 3),
    "loan": by_write(bank.lend, player="Cyd", chips=25),
    "repayment": by_write(bank.take_repayment, player="Bob", chips=30),
    "adjustment": by_write(adjust.adjust, player="Bob", chips=-5, reason="lost"),
    "adjustment from a pot": by_write(
        adjust.adjust, player="Bob", chips=4, reason="why not", pot="frog"
    ),
    "pots shared": by_write(adjust.share_pots),
    "count": by_write(count.record, {"Bob": {20: 4}, "Ann": {30: 11}}),
    "count that is posted": by_write(count.record, {"Bob": {20: 4}, "Ann": {30: 11}}, post=True),
    "joining": lambda db, access, played: cash.join(db, access, played, "Eve", position=1),
    "leaving": lambda db, access, played: cash.leave(db, access, played, "Bob"),
    "sitting out": by_write(seating.sit_out, player="Cyd"),
    "coming back": by_write(seating.come_back, player="Dee"),
    "seats": by_write(seating.change_seats, order=["Cyd", "Ann", "Dee", "Bob"]),
    "rules": by_write(
        start.change_rules, game="progressive", variant=None, options={"pots": {"stake": 10}}
    ),
    "rate": by_write(convert.set_rate, rate=Rate(7, 3)),
    "no rate": by_write(convert.set_rate, rate=None),
    "pause": by_write(lifecycle.pause),
    "taking a loan back": lambda db, access, played: undo_entry.take_back(
        table.write(db, access), played, loan_of(db, access, played), reason="never lent"
    ),
}


def loan_of(db: Database, access: Access, played: int) -> int:
    """Return the entry of Bob's loan."""
    lines, _ = ask(db, access, undo_entry.page, played)
    return next(line.entry.id for line in lines if line.entry.kind == "loan")


@pytest.mark.parametrize("deed", DEEDS)
def test_two_steps_back_and_two_forward_come_to_the_same(
    any_database: Database, here: Access, deed: str
) -> None:
    """Balances, seats, rules, pots, sums and the turn: before, between and after; the books verify."""
    db, played = any_database, tonight(any_database, here)
    states = [state(db, here, played)]
    DEEDS[deed](db, here, played)
    states.append(state(db, here, played))
    assert states[0] != states[1]
    seating.change_seats(table.write(db, here), played, order=order_turned(db, here, played))
    states.append(state(db, here, played))
    for _ in range(2):
        undo(db, here, played)
        assert state(db, here, played) == states[1]
        undone = undo(db, here, played)
        assert state(db, here, played) == states[0]
        redone = redo(db, here, played)
        assert redone["redone"] == undone["undone"]
        assert state(db, here, played) == states[1]
        redo(db, here, played)
        assert state(db, here, played) == states[2]
    with pytest.raises(NothingToRedo):
        redo(db, here, played)
    assert [str(each) for each in verify(db)] == []


def order_turned(db: Database, access: Access, played: int) -> list[str]:
    """Return those at the table, the last one first."""
    names = [seat.name for seat in ask(db, access, load, played).present]
    return [names[-1], *names[:-1]]


def test_every_kind_of_step_is_undone_to_the_first_and_redone_to_the_last(
    any_database: Database, here: Access
) -> None:
    """One evening with all of them, in one order; nothing else is ever undone in between."""
    db, played = any_database, tonight(any_database, here)
    for _ in range(6):
        undo(db, here, played)
    with pytest.raises(CannotUndo, match="Everybody began with these chips"):
        undo(db, here, played)
    for _ in range(6):
        redo(db, here, played)
    states = [state(db, here, played)]
    order = [
        *("coming back", "hand", "adjustment from a pot", "hand", "loan", "correction", "count"),
        *("joining", "restoring", "taking a loan back", "rules", "voiding", "leaving"),
    ]
    for deed in order:
        DEEDS[deed](db, here, played)
        states.append(state(db, here, played))
    for _ in range(2):
        for before in states[-2::-1]:
            undo(db, here, played)
            assert state(db, here, played) == before
        for after in states[1:]:
            redo(db, here, played)
            assert state(db, here, played) == after
    assert [str(each) for each in verify(db)] == []


def test_cashing_chips_in_is_undone_and_redone(any_database: Database, here: Access) -> None:
    """At another rate, which is then agreed on again, too."""
    db = any_database
    played = table.start(db, here, table.FOUR, starting_stack=150, rate=cash.TEN_FOR_ONE)
    table.record(db, here, played, cash.ANN_WINS)
    before = state(db, here, played)
    cash.convert(db, here, played, Rate(7, 3))
    after = state(db, here, played)
    undo(db, here, played)
    assert state(db, here, played) == before
    redo(db, here, played)
    assert state(db, here, played) == after
    assert list(verify(db)) == []


def test_a_hand_and_the_loan_made_with_it_are_one_step(
    any_database: Database, here: Access
) -> None:
    """Both are undone together and redone together."""
    db = any_database
    played = table.start(db, here, table.FOUR, starting_stack=5)
    states = [state(db, here, played)]
    hand = {**cash.ANN_WINS, "lend": True}
    assert hand_and_loan.record(table.write(db, here), played, hand)["lent"]
    states.append(state(db, here, played))
    answer = undo(db, here, played)
    assert (answer["undone"], answer["hand"], answer["loans"]) == ("recorded", 1, 3)
    assert state(db, here, played) == states[0]
    answer = redo(db, here, played)
    assert (answer["redone"], answer["hand"], answer["loans"]) == ("recorded", 1, 3)
    assert state(db, here, played) == states[1]
    assert ask(db, here, load, played).revision == 4
    undo(db, here, played)
    assert state(db, here, played) == states[0]
