"""What an account holds at most: more than anybody plays for, and no more than any program can count."""

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.books import journal
from ledger.books.balances import MOST, BalanceTooLarge
from ledger.books.chain import EntryHeader
from ledger.database.models import Account, AccountKind, EntryKind
from ledger.runtime.clock import now
from tests.ledger.evenings import CardClub, Evening


@pytest.fixture
def evening(any_club: CardClub) -> Evening:
    """A session of Ann, Bob and Cyd, without a hand yet."""
    return any_club.start(("Ann", "Bob", "Cyd"))


def post(evening: Evening, amounts: Mapping[int, int], kind: EntryKind = EntryKind.HAND) -> None:
    """Write an entry of these amounts, by the ids of accounts."""
    with evening.club.writing() as session:
        journal.post(session, EntryHeader(evening.id, kind, "Sue", now(), now()), amounts)


@pytest.mark.parametrize(
    ("amounts", "sentence"),
    [
        ((1, 0, -1), "This would put Ann at 1,000,000,000,000,001 chips"),
        ((0, -1, 1), "This would put Bob at -1,000,000,000,000,001 chips"),
        ((0, -(10**30), 10**30), "This would put Bob at -1,000,000,000,000,001,000,000,"),
    ],
)
def test_no_account_holds_more_than_any_program_can_count(
    evening: Evening, amounts: tuple[int, ...], sentence: str
) -> None:
    """A quadrillion up or down; one more is refused with whose it is and how much, and leaves no trace."""
    seats = [seat.account_id for seat in evening.view.seats]
    post(evening, dict(zip(seats, (MOST, -MOST, 0), strict=True)))
    with evening.club.refuses(BalanceTooLarge) as caught:
        post(evening, dict(zip(seats, amounts, strict=True)))
    assert (caught.value.status, caught.value.code) == (409, "balance-too-large")
    assert caught.value.message.startswith(sentence)
    assert "an account holds at most 1,000,000,000,000,000 chips" in caught.value.message
    post(evening, dict(zip(seats, (-2 * MOST, 2 * MOST, 0), strict=True)))
    assert evening.balances == {"Ann": -MOST, "Bob": MOST, "Cyd": 0}


BANK, POT, TILL, PLAYER = (AccountKind.BANK, AccountKind.POT, AccountKind.TILL, AccountKind.PLAYER)


@pytest.mark.parametrize(
    ("entry", "kind", "more", "balance"),
    [
        (EntryKind.LOAN, BANK, {}, "the bank at 1,000,000,000,000,001 chips"),
        (
            EntryKind.POTS_SHARED,
            POT,
            {"name": "frog"},
            "the frog pot at 1,000,000,000,000,001 chips",
        ),
        (EntryKind.CONVERSION, TILL, {"unit": "JPY"}, "the till at 1,000,000,000,000,001 JPY"),
        (EntryKind.PAYMENT, PLAYER, {"unit": "EUR"}, "Ann at 10,000,000,000,000.01 EUR"),
    ],
)
def test_an_account_that_would_hold_too_much_is_named_with_its_own_unit(
    evening: Evening, entry: EntryKind, kind: AccountKind, more: dict[str, Any], balance: str
) -> None:
    """A player's by the name, others by what they are."""
    if kind is PLAYER:
        more = {**more, "player_id": evening.club.player("Ann")}
    with evening.club.writing() as session:
        full = journal.open_account(session, kind, **{"session_id": evening.id, **more})
        other = Account(key="other", kind=kind.value, unit=full.unit)
        session.add(other)
        session.flush()
        ids = full.id, other.id
    post(evening, dict(zip(ids, (MOST, -MOST), strict=True)), entry)
    with evening.club.refuses(BalanceTooLarge, f"would put {balance}"):
        post(evening, dict(zip(ids, (1, -1), strict=True)), entry)
