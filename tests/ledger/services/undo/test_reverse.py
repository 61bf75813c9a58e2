"""Undoing other entries than hands: the refusals, and the absence from the journal."""

from collections.abc import Callable

import pytest

from ledger.services.chips import adjust
from ledger.services.table import seating
from ledger.services.undo import last, payment
from ledger.services.undo.reverse import AlreadyUndone
from ledger.words.problems import SessionClosed, Unchanged
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening
from tests.ledger.services.undo.an_evening import undo


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """An evening of one hand among four, with stacks, at ten chips to a cent."""
    started = sqlite_club.start(starting_stack=150, rate=cash.TEN_FOR_ONE)
    started.record(cash.ANN_WINS)
    return started


def test_what_changes_nothing_is_no_entry(evening: Evening) -> None:
    """The same seats, rules and rate again are refused, so the last entry is still the next to undo."""
    with evening.club.refuses(Unchanged):
        evening.do(seating.change_seats, order=table.FOUR)
    with evening.club.refuses(Unchanged):
        evening.set_rate(cash.TEN_FOR_ONE)
    with evening.club.refuses(Unchanged):
        evening.play("crazy-solo")


def test_an_undo_and_its_preview_are_refused_in_a_closed_session(evening: Evening) -> None:
    """Both write nothing."""
    evening.close()
    for act in (evening.preview, evening.do):
        with evening.club.refuses(SessionClosed):
            act(last.undo)


@pytest.mark.parametrize("act", ["loan", "adjustment", "cash-out", "conversion", "stack"])
def test_a_preview_names_each_account_that_an_undo_moves(evening: Evening, act: str) -> None:
    """With its owner, amount, balance and unit."""
    steps: dict[str, Callable[[], object]] = {
        "loan": lambda: evening.lend("Cyd", 25),
        "adjustment": lambda: evening.adjust("Bob", -5),
        "cash-out": lambda: evening.leave("Bob"),
        "conversion": lambda: evening.convert(),
        "stack": lambda: evening.join("Eve"),
    }
    moves = {
        "loan": [("seat", "Cyd", -25, 100, "chips"), ("bank", "bank", 25, -600, "chips")],
        "adjustment": [
            ("seat", "Bob", 5, 100, "chips"),
            ("differences", "differences", -5, 0, "chips"),
        ],
        "cash-out": [
            ("seat", "Bob", 100, 100, "chips"),
            ("bank", "bank", -100, -600, "chips"),
            ("player", "Bob", 5, 0, "EUR"),
            ("till", "till", -5, 0, "EUR"),
        ],
        "conversion": [
            ("seat", "Ann", 300, 300, "chips"),
            *(("seat", name, 100, 100, "chips") for name in ("Bob", "Cyd", "Dee")),
            ("bank", "bank", -600, -600, "chips"),
            ("player", "Ann", -15, 0, "EUR"),
            *(("player", name, 5, 0, "EUR") for name in ("Bob", "Cyd", "Dee")),
        ],
        "stack": [("seat", "Eve", -150, 0, "chips"), ("bank", "bank", 150, -600, "chips")],
    }
    steps[act]()
    preview = evening.preview(last.undo)
    assert preview.last == evening.read(last.look).last
    assert sorted(tuple(move) for move in preview.preview.moves) == sorted(moves[act])
    assert undo(evening)["undone"] == act
    evening.must_balance()


def test_an_evening_with_everything_in_it_verifies(any_club: CardClub) -> None:
    """After any steps, chips and money add up, and the chain is whole."""
    evening = any_club.start(starting_stack=150, rate=cash.TEN_FOR_ONE)
    evening.record(cash.ANN_WINS)
    evening.join("Eve", position=2)
    evening.sit_out("Dee")
    evening.record(cash.ANN_WINS)
    evening.leave("Bob")
    evening.count({"Ann": {30: 10}}, post=True)
    evening.do(adjust.share_differences)
    evening.convert()
    any_club.pay("Cyd", "Ann", 3)
    evening.close()
    any_club.must_verify()
    assert sum(any_club.owed.values()) == 0
    accounts = any_club.accounts
    assert sum(accounts[key] for key in accounts if not key.startswith("player")) == 0


def test_an_entry_is_taken_back_once(evening: Evening) -> None:
    """A conflict in words, before the database has to refuse it."""
    evening.convert()
    paid = evening.club.pay("Bob", "Ann", 1)["entry"]
    evening.club.do(payment.take_back, paid, reason="why")
    with evening.club.refuses(AlreadyUndone):
        evening.club.do(payment.take_back, paid, reason="why")
