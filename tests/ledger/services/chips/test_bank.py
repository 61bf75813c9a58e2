"""The bank: stacks, loans and repayments move chips in hand, and nothing that was won."""

import pytest

from ledger.access import Access
from ledger.db import Database
from ledger.problems import Invalid, KeyReused, SessionClosed, Stale
from ledger.services.chips import bank
from ledger.services.club import clubs
from ledger.services.common.writing import Write
from ledger.services.reads import accounts
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.table import start
from ledger.services.table.start import SessionDraft
from tests.ledger import cash, table
from tests.ledger.table import ask


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def test_each_player_starts_with_the_stack_the_bank_gives(
    any_database: Database, here: Access
) -> None:
    """In one entry, from the bank; everybody holds 150 and has won nothing."""
    evening = table.start(any_database, here, starting_stack=150)
    assert table.balances(any_database, here, evening) == dict.fromkeys(table.SEVEN, 150)
    assert set(cash.nets(any_database, here, evening).values()) == {0}
    assert cash.kinds(any_database, here) == ["stack"]
    assert cash.held(any_database, here)[f"session/{evening}/bank"] == -7 * 150


def test_what_was_won_is_told_from_what_the_bank_gave(any_database: Database, here: Access) -> None:
    """Ann wins 300 on top of 150; the settlement speaks of what was won."""
    evening = table.start(any_database, here, starting_stack=150)
    cash.lend(any_database, here, evening, "Bob", 40)
    table.record(any_database, here, evening, cash.ANN_WINS)
    assert table.balances(any_database, here, evening)["Ann"] == 450
    assert table.balances(any_database, here, evening)["Bob"] == 140
    nets = cash.nets(any_database, here, evening)
    assert nets == dict.fromkeys(table.SEVEN, -50) | {"Ann": 300}
    settled = ask(any_database, here, accounts.settlement, evening)
    assert settled.even
    assert {(pay.payee, pay.amount) for pay in settled.payments} == {("Ann", 50)}


def test_a_loan_and_its_repayment_are_entries_of_their_kind(
    any_database: Database, here: Access
) -> None:
    """Each with its chips, who wrote it and why; the seat remembers what it still has of the bank's."""
    evening = table.start(any_database, here)
    lent = bank.lend(
        table.write(any_database, here),
        evening,
        player="bob",
        chips=60,
        reason=" out of  chips ",
    )
    made, moved = cash.entry(any_database, here, lent)
    bob = cash.seat(any_database, here, evening, "Bob")
    assert (made.kind, made.author, made.reason) == ("loan", "Sue", "out of chips")
    assert moved == {f"seat/{bob.id}": 60, f"session/{evening}/bank": -60}
    assert (bob.balance, bob.advanced, bob.net) == (60, 60, 0)
    back = bank.take_repayment(table.write(any_database, here), evening, player="Bob", chips=25)
    made, moved = cash.entry(any_database, here, back)
    assert (made.kind, moved[f"seat/{bob.id}"]) == ("repayment", -25)
    bob = cash.seat(any_database, here, evening, "Bob")
    assert (bob.balance, bob.advanced, bob.net) == (35, 35, 0)


def test_no_more_is_paid_back_than_the_bank_gave(any_database: Database, here: Access) -> None:
    """The rest of what a player holds was won, and stays."""
    evening = table.start(any_database, here)
    cash.lend(any_database, here, evening, "Bob", 60)
    with pytest.raises(
        Invalid, match="Bob has 60 chips from the bank; 61 can't be paid back"
    ) as no:
        bank.take_repayment(table.write(any_database, here), evening, player="Bob", chips=61)
    assert [fault.field for fault in no.value.faults] == ["chips"]


def test_nobody_pays_back_chips_they_have_lost(any_database: Database, here: Access) -> None:
    """Of 60 borrowed Bob has lost 50."""
    evening = table.start(any_database, here)
    cash.lend(any_database, here, evening, "Bob", 60)
    table.record(any_database, here, evening, cash.ANN_WINS)
    with pytest.raises(Invalid, match="Bob holds 10 chips; 11 can't be paid back"):
        bank.take_repayment(table.write(any_database, here), evening, player="Bob", chips=11)
    bank.take_repayment(table.write(any_database, here), evening, player="Bob", chips=10)
    bob = cash.seat(any_database, here, evening, "Bob")
    assert (bob.balance, bob.advanced, bob.net) == (0, 50, -50)


def test_what_is_borrowed_after_a_conversion_is_paid_back(
    any_database: Database, here: Access
) -> None:
    """Ann won 300 and Bob lost 50, both are money by now: Ann pays 20 back, Bob no chip he has won."""
    evening = table.start(any_database, here, starting_stack=150)
    table.record(any_database, here, evening, cash.ANN_WINS)
    cash.convert(any_database, here, evening, Rate(7, 3))
    assert {cash.seat(any_database, here, evening, name).lent for name in table.SEVEN} == {0}
    cash.lend(any_database, here, evening, "Ann", 20)
    bank.take_repayment(table.write(any_database, here), evening, player="Ann", chips=20)
    ann = cash.seat(any_database, here, evening, "Ann")
    assert (ann.balance, ann.lent, ann.net) == (0, 0, 300)
    with pytest.raises(Invalid, match="Bob has 0 chips from the bank; 5 can't be paid back"):
        bank.take_repayment(table.write(any_database, here), evening, player="Bob", chips=5)


@pytest.mark.parametrize(
    ("said", "field", "code"),
    [
        ({"player": " ", "chips": 5}, "player", "player-missing"),
        ({"player": "Zed", "chips": 5}, "player", "not-at-the-table"),
        ({"player": "Bob", "chips": 0}, "chips", "chips-out-of-range"),
        ({"player": "Bob", "chips": -5}, "chips", "chips-out-of-range"),
        ({"player": "Bob", "chips": 10**9 + 1}, "chips", "chips-out-of-range"),
        ({"player": "Bob", "chips": 5, "reason": "nul \0"}, "reason", "reason-has-controls"),
    ],
)
def test_a_loan_that_cannot_be_is_refused_at_its_field(
    database: Database, club: Access, said: dict[str, object], field: str, code: str
) -> None:
    """And leaves no trace."""
    evening = table.start(database, club)
    before = table.row_counts(database)
    with pytest.raises(Invalid) as caught:
        bank.lend(table.write(database, club), evening, **said)  # type: ignore[arg-type]
    assert [(fault.field, fault.code) for fault in caught.value.faults] == [(field, code)]
    assert table.row_counts(database) == before


def test_a_retried_loan_is_lent_once(any_database: Database, here: Access) -> None:
    """The same key gives the first answer; with another sum it is refused; a closed table lends nothing."""
    evening = table.start(any_database, here)
    key = table.new_key()
    first = bank.lend(Write(any_database, here, key), evening, player="Bob", chips=60)
    assert bank.lend(Write(any_database, here, key), evening, player="Bob", chips=60) == first
    assert table.balances(any_database, here, evening)["Bob"] == 60
    with pytest.raises(KeyReused):
        bank.lend(Write(any_database, here, key), evening, player="Bob", chips=61)
    with pytest.raises(Stale):
        bank.lend(table.write(any_database, here, 1), evening, player="Bob", chips=60)
    start.close(table.write(any_database, here), evening)
    with pytest.raises(SessionClosed):
        cash.lend(any_database, here, evening, "Bob", 60)


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"starting_stack": -1}, "starting_stack"),
        ({"starting_stack": 10**9 + 1}, "starting_stack"),
        ({"rate": Rate(0, 1)}, "rate.chips"),
        ({"rate": Rate(10, -1)}, "rate.money"),
    ],
)
def test_a_session_starts_with_chips_and_a_rate_that_can_be(
    database: Database, club: Access, said: dict[str, object], field: str
) -> None:
    """Nobody starts with less than nothing; chips are worth something."""
    draft = SessionDraft(table.FOUR, "crazy-solo", **said)  # type: ignore[arg-type]
    with pytest.raises(Invalid) as caught:
        start.start(table.write(database, club), draft)
    assert [fault.field for fault in caught.value.faults] == [field]


def test_a_session_shows_its_stack_and_rate(database: Database, club: Access) -> None:
    """As they were agreed on; without them it plays for chips from 0."""
    agreed = table.start(database, club, starting_stack=150, rate=Rate(10, 1))
    view = ask(database, club, load, agreed)
    assert (view.starting_stack, view.rate) == (150, Rate(10, 1))
    view = ask(database, club, load, table.start(database, club))
    assert (view.starting_stack, view.rate) == (0, None)
