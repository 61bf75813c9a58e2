"""What an account holds at most: more than anybody plays for, and no more than any program can count."""

from collections.abc import Mapping
from typing import Any

import pytest
from sqlmodel import select

from ledger.books import journal
from ledger.books.balances import MOST, BalanceTooLarge
from ledger.books.chain import EntryHeader
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Account, AccountKind, EntryKind, Player
from ledger.runtime.clock import now
from ledger.services.club import clubs
from ledger.services.session.load import load
from tests.ledger import table
from tests.ledger.table import ask


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.create(any_database, name="Kitchen Table", passcode="123456", author="Sue")[0]


@pytest.fixture
def played(any_database: Database, here: Access) -> int:
    """A session of Ann, Bob and Cyd, without a hand yet."""
    return table.start(any_database, here, ("Ann", "Bob", "Cyd"))


def post(
    db: Database,
    access: Access,
    session_id: int,
    amounts: Mapping[int, int],
    kind: EntryKind = EntryKind.HAND,
) -> None:
    """Write an entry of these amounts, by the ids of accounts."""
    with db.write(access) as session:
        journal.post(session, EntryHeader(session_id, kind, "Sue", now(), now()), amounts)


@pytest.mark.parametrize(
    ("amounts", "sentence"),
    [
        ((1, 0, -1), "This would put Ann at 1,000,000,000,000,001 chips"),
        ((0, -1, 1), "This would put Bob at -1,000,000,000,000,001 chips"),
        ((0, -(10**30), 10**30), "This would put Bob at -1,000,000,000,000,001,000,000,"),
    ],
)
def test_no_account_holds_more_than_any_program_can_count(
    any_database: Database, here: Access, played: int, amounts: tuple[int, ...], sentence: str
) -> None:
    """A quadrillion up or down; one more is refused with whose it is and how much, and leaves no trace."""
    seats = [seat.account_id for seat in ask(any_database, here, load, played).seats]
    post(any_database, here, played, dict(zip(seats, (MOST, -MOST, 0), strict=True)))
    before = table.row_counts(any_database)
    with pytest.raises(BalanceTooLarge) as caught:
        post(any_database, here, played, dict(zip(seats, amounts, strict=True)))
    assert (caught.value.status, caught.value.code) == (409, "balance-too-large")
    assert caught.value.message.startswith(sentence)
    assert "an account holds at most 1,000,000,000,000,000 chips" in caught.value.message
    assert table.row_counts(any_database) == before
    post(any_database, here, played, dict(zip(seats, (-1, 1, 0), strict=True)))
    assert table.balances(any_database, here, played) == {
        "Ann": MOST - 1,
        "Bob": 1 - MOST,
        "Cyd": 0,
    }


@pytest.mark.parametrize(
    ("entry", "kind", "more", "whose"),
    [
        (
            EntryKind.LOAN,
            AccountKind.BANK,
            {},
            "would put the bank at 1,000,000,000,000,001 chips",
        ),
        (
            EntryKind.POTS_SHARED,
            AccountKind.POT,
            {"name": "frog"},
            "would put the frog pot at 1,000,000,000,000,001 chips",
        ),
        (
            EntryKind.CONVERSION,
            AccountKind.TILL,
            {"unit": "JPY"},
            "would put the till at 1,000,000,000,000,001 JPY",
        ),
        (
            EntryKind.PAYMENT,
            AccountKind.PLAYER,
            {"unit": "EUR"},
            "would put Ann at 10,000,000,000,000.01 EUR",
        ),
    ],
)
def test_whose_account_would_hold_too_much_is_said_in_its_own_unit(
    any_database: Database,
    here: Access,
    played: int,
    entry: EntryKind,
    kind: AccountKind,
    more: dict[str, Any],
    whose: str,
) -> None:
    """A player's by the name, others by what they are."""
    with any_database.write(here) as session:
        if kind is AccountKind.PLAYER:
            ann = session.exec(select(Player.id).where(Player.name == "Ann")).one()
            more = {**more, "player_id": ann}
        full = journal.open_account(session, kind, **{"session_id": played, **more})
        other = Account(key="other", kind=kind.value, unit=full.unit)
        session.add(other)
        session.flush()
        ids = full.id, other.id
    post(any_database, here, played, dict(zip(ids, (MOST, -MOST), strict=True)), entry)
    with pytest.raises(BalanceTooLarge, match=whose):
        post(any_database, here, played, dict(zip(ids, (1, -1), strict=True)), entry)
