"""Settling up a club: the fewest payments, made at once, in parts, or taken back; the rest is carried on."""

from datetime import UTC, datetime

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.club import clubs
from ledger.services.common.writing import Write
from ledger.services.money import payments
from ledger.services.money.settle_up import Payment
from ledger.services.money.till import Owed, Unfinished
from ledger.services.session.view import Rate
from ledger.services.undo import payment as undo_payment
from ledger.services.undo.reverse import AlreadyUndone
from ledger.words.problems import Invalid, KeyReused, NotFound, ReadOnly
from tests.ledger import cash, table
from tests.ledger.table import ask


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def evening(db: Database, access: Access, winner: str = "Ann") -> int:
    """Play one hand that ``winner`` wins of six others, 50 cents each, and convert it."""
    played = table.start(db, access, rate=Rate(1, 1))
    hand = {"contract": {"bidder": winner, "bid": "go-alone", "trump": "S"}, "points": 85}
    table.record(db, access, played, hand)
    cash.convert(db, access, played)
    return played


def test_settling_up_names_the_fewest_payments(any_database: Database, here: Access) -> None:
    """Six owe Ann 50 each, until they paid."""
    evening(any_database, here)
    due = ask(any_database, here, payments.settle_up)
    assert due.currency == "EUR"
    assert due.payments == tuple(Payment(name, "Ann", 50) for name in table.SEVEN[1:])
    for pay in due.payments:
        cash.pay(any_database, here, pay.payer, pay.payee, pay.amount)
    assert ask(any_database, here, payments.settle_up).payments == ()
    assert cash.owed(any_database, here) == {}


def test_a_payment_is_an_entry_of_the_club(any_database: Database, here: Access) -> None:
    """Of no session; with who paid whom, when, who wrote it and why."""
    evening(any_database, here)
    at = datetime(2026, 1, 31, 21, tzinfo=UTC)
    answer = payments.pay(
        table.write(any_database, here),
        payer="bob",
        payee="ann",
        amount=50,
        reason="in cash",
        paid_at=at,
    )
    made, moved = cash.entry(any_database, here, answer)
    assert (made.kind, made.session_id, made.reason, made.author) == (
        "payment",
        None,
        "in cash",
        "Sue",
    )
    assert made.occurred_at == at < made.entered_at
    assert sorted(moved.values()) == [-50, 50]
    assert answer["balances"] == {"Bob": 0, "Ann": 250}


def test_a_payment_can_be_made_in_parts(any_database: Database, here: Access) -> None:
    """What is left is still named."""
    evening(any_database, here)
    cash.pay(any_database, here, "Bob", "Ann", 20)
    assert Payment("Bob", "Ann", 30) in ask(any_database, here, payments.settle_up).payments
    cash.pay(any_database, here, "Bob", "Ann", 30)
    assert "Bob" not in cash.owed(any_database, here)


def test_a_payment_taken_back_is_owed_again(any_database: Database, here: Access) -> None:
    """Once; by a reversal with a reason."""
    evening(any_database, here)
    before = cash.held(any_database, here)
    paid = cash.pay(any_database, here, "Bob", "Ann", 50)["entry"]
    key = table.new_key()
    answer = undo_payment.take_back(Write(any_database, here, key), paid, reason="bounced")
    made, _ = cash.entry(any_database, here, answer)
    assert (made.kind, made.reverses_id, made.reason) == ("reversal", paid, "bounced")
    assert cash.held(any_database, here) == before
    assert undo_payment.take_back(Write(any_database, here, key), paid, reason="bounced") == answer
    with pytest.raises(AlreadyUndone, match="already undone: the payment"):
        undo_payment.take_back(table.write(any_database, here), paid, reason="bounced")


def test_what_is_not_paid_is_carried_to_the_next_session(
    any_database: Database, here: Access
) -> None:
    """Ann won first, then Bob: the second evening is settled together with the first."""
    evening(any_database, here)
    evening(any_database, here, winner="Bob")
    assert cash.owed(any_database, here) == {"Ann": 250, "Bob": 250} | dict.fromkeys(
        table.SEVEN[2:], -100
    )
    assert len(ask(any_database, here, payments.settle_up).payments) == 6


def test_nobody_settles_while_a_session_is_half_converted(
    any_database: Database, here: Access
) -> None:
    """Somebody was cashed out and the others were not: the session is named instead."""
    played = table.start(any_database, here, rate=Rate(1, 1), title="New Year")
    table.record(any_database, here, played, cash.ANN_WINS)
    cash.leave(any_database, here, played, "Ann")
    due = ask(any_database, here, payments.settle_up)
    assert (due.payments, due.unfinished) == (
        (),
        (Unfinished(played, "New Year", "open", (Owed("Ann", 300),)),),
    )
    cash.convert(any_database, here, played)
    due = ask(any_database, here, payments.settle_up)
    assert (len(due.payments), due.unfinished) == (6, ())


@pytest.mark.parametrize(
    ("said", "field", "code"),
    [
        ({"payer": "Zed"}, "payer", "unknown-player"),
        ({"payee": "Zed"}, "payee", "unknown-player"),
        ({"payee": "bob"}, "payee", "pays-themself"),
        ({"amount": 0}, "amount", "amount-out-of-range"),
        ({"amount": -50}, "amount", "amount-out-of-range"),
        ({"amount": 10**10}, "amount", "amount-out-of-range"),
        ({"reason": "nul \0"}, "reason", "reason-has-controls"),
        ({"paid_at": datetime(1, 1, 1, tzinfo=UTC)}, "paid_at", "time-out-of-bounds"),
        ({"paid_at": datetime(2999, 1, 1, tzinfo=UTC)}, "paid_at", "time-out-of-bounds"),
    ],
)
def test_a_payment_that_cannot_be_is_refused_at_its_field(
    database: Database, club: Access, said: dict[str, object], field: str, code: str
) -> None:
    """And leaves no trace."""
    evening(database, club)
    before = table.row_counts(database)
    with pytest.raises(Invalid) as caught:
        payments.pay(
            table.write(database, club),
            **{"payer": "Bob", "payee": "Ann", "amount": 50, **said},  # type: ignore[arg-type]
        )
    assert [(fault.field, fault.code) for fault in caught.value.faults] == [(field, code)]
    assert table.row_counts(database) == before


def test_a_retried_payment_is_made_once(database: Database, club: Access) -> None:
    """The same key with another amount is refused; a viewer pays nothing."""
    evening(database, club)
    key = table.new_key()
    first = payments.pay(Write(database, club, key), payer="Bob", payee="Ann", amount=50)
    assert payments.pay(Write(database, club, key), payer="Bob", payee="Ann", amount=50) == first
    with pytest.raises(KeyReused):
        payments.pay(Write(database, club, key), payer="Bob", payee="Ann", amount=51)
    with pytest.raises(ReadOnly):
        cash.pay(database, Access(club.club_id, Role.VIEWER, "viewer"), "Bob", "Ann", 5)
    assert "Bob" not in cash.owed(database, club)


def test_only_a_payment_of_this_club_is_taken_back(
    database: Database, ours: Access, theirs: Access
) -> None:
    """Not a hand's entry, not another club's payment."""
    evening(database, theirs)
    paid = cash.pay(database, theirs, "Bob", "Ann", 5)["entry"]
    for entry_id in (1, paid, 999):
        with pytest.raises(NotFound):
            undo_payment.take_back(table.write(database, ours), entry_id, reason="why")
