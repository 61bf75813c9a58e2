"""Settling up a club: payments made at once, in parts, or taken back; the rest is carried on."""

from datetime import UTC, datetime
from typing import Any

import pytest

from ledger.services.money import payments
from ledger.services.money.settle_up import Payment
from ledger.services.money.till import Owed, Unfinished
from ledger.services.session.view import Rate
from ledger.services.undo import payment as undo_payment
from ledger.services.undo.reverse import AlreadyUndone
from ledger.words.problems import Invalid, KeyReused, NotFound, ReadOnly, Stale
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub


def played(club: CardClub, winner: str = "Ann") -> None:
    """Play one hand that ``winner`` wins of six others, 50 cents each, and convert it."""
    evening = club.start(table.SEVEN, rate=Rate(1, 1))
    contract = {"bidder": winner, "bid": "go-alone", "trump": "S"}
    evening.record({"contract": contract, "points": 85})
    evening.convert()


def test_a_payment_is_an_entry_of_the_club(any_club: CardClub) -> None:
    """Of no session; with who paid whom, when, who wrote it and why."""
    played(any_club)
    at = datetime(2026, 1, 31, 21, tzinfo=UTC)
    paid = {"payer": "bob", "payee": "ann", "amount": 50, "reason": "in cash", "paid_at": at}
    answer = any_club.do(payments.pay, **paid)
    entry, moved = any_club.entry(answer)
    assert (entry.kind, entry.session_id) == ("payment", None)
    assert (entry.reason, entry.author) == ("in cash", "Sue")
    assert entry.occurred_at == at < entry.entered_at
    assert sorted(moved.values()) == [-50, 50]
    assert answer["balances"] == {"Bob": 0, "Ann": 250}
    assert any_club.read(payments.show, answer["entry"]) == Payment("Bob", "Ann", 50)
    assert any_club.pay("Bob", "Ann", 10**9)["balances"]["Bob"] == 10**9  # the most


def test_a_payment_taken_back_is_owed_again(any_club: CardClub) -> None:
    """Once; by a reversal with a reason."""
    played(any_club)
    before = any_club.accounts
    paid = any_club.pay("Bob", "Ann", 50)["entry"]
    write = any_club.write()
    answer = undo_payment.take_back(write, paid, reason="bounced")
    entry, _ = any_club.entry(answer)
    assert (entry.kind, entry.reverses_id, entry.reason) == ("reversal", paid, "bounced")
    assert any_club.accounts == before
    assert undo_payment.take_back(write, paid, reason="bounced") == answer
    with any_club.refuses(AlreadyUndone, "already undone: the payment"):
        any_club.do(undo_payment.take_back, paid, reason="bounced")


def test_what_is_not_paid_is_carried_to_the_next_session(sqlite_club: CardClub) -> None:
    """Ann won first, then Bob: the second evening is settled together with the first."""
    played(sqlite_club)
    played(sqlite_club, winner="Bob")
    both = {"Ann": 250, "Bob": 250}
    assert sqlite_club.owed == both | dict.fromkeys(table.SEVEN[2:], -100)
    assert len(sqlite_club.read(payments.settle_up).payments) == 6


def test_nobody_settles_while_a_session_is_half_converted(sqlite_club: CardClub) -> None:
    """Somebody was cashed out and the others were not: the session is named instead."""
    evening = sqlite_club.start(table.SEVEN, rate=Rate(1, 1), title="New Year")
    evening.record(cash.ANN_WINS)
    evening.leave("Ann")
    due = sqlite_club.read(payments.settle_up)
    unfinished = Unfinished(evening.id, "New Year", "open", (Owed("Ann", 300),))
    assert (due.payments, due.unfinished) == ((), (unfinished,))
    evening.convert()
    due = sqlite_club.read(payments.settle_up)
    assert (len(due.payments), due.unfinished) == (6, ())


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"payer": "Zed"}, "payer", "unknown-player"),
        ({"payee": "Zed"}, "payee", "unknown-player"),
        ({"payee": "bob"}, "payee", "pays-themself"),
        ({"amount": 0}, "amount", "amount-out-of-range"),
        ({"amount": -50}, "amount", "amount-out-of-range"),
        ({"amount": 10**9 + 1}, "amount", "amount-out-of-range"),
        ({"reason": "nul \0"}, "reason", "reason-has-controls"),
        ({"paid_at": datetime(1, 1, 1, tzinfo=UTC)}, "paid_at", "time-out-of-bounds"),
        ({"paid_at": datetime(2999, 1, 1, tzinfo=UTC)}, "paid_at", "time-out-of-bounds"),
    ],
)
def test_an_invalid_payment_is_refused_at_its_field(
    sqlite_club: CardClub, change: dict[str, Any], field: str, code: str
) -> None:
    """And leaves no trace."""
    played(sqlite_club)
    payment = {"payer": "Bob", "payee": "Ann", "amount": 50, **change}
    with sqlite_club.refuses(Invalid, at=field, code=code):
        sqlite_club.do(payments.pay, **payment)


def test_a_retried_payment_is_made_once(sqlite_club: CardClub) -> None:
    """The same key with another amount is refused, and what was not seen; a viewer pays nothing."""
    played(sqlite_club)
    write = sqlite_club.write()
    answer = payments.pay(write, payer="Bob", payee="Ann", amount=50)
    assert payments.pay(write, payer="Bob", payee="Ann", amount=50) == answer
    with sqlite_club.refuses(KeyReused):
        payments.pay(write, payer="Bob", payee="Ann", amount=51)
    with sqlite_club.refuses(Stale, "What the club's players owe changed"):
        payments.pay(sqlite_club.write(1), payer="Bob", payee="Ann", amount=5)
    with sqlite_club.refuses(ReadOnly):
        sqlite_club.viewer().pay("Bob", "Ann", 5)
    assert "Bob" not in sqlite_club.owed


def test_only_a_payment_of_this_club_is_taken_back(
    our_club: CardClub, their_club: CardClub
) -> None:
    """Not a hand's entry, not another club's payment."""
    played(their_club)
    paid = their_club.pay("Bob", "Ann", 5)["entry"]
    for entry in (1, paid, 999):
        with our_club.refuses(NotFound):
            our_club.do(undo_payment.take_back, entry, reason="why")
