"""The books of a session as they are read, on both databases."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import clubs
from ledger.services.hands import versions
from ledger.services.reads import accounts, session
from ledger.services.reads.accounts import SessionSettlement
from ledger.words.problems import NotFound
from tests.ledger import cash
from tests.ledger.table import (
    ALONE_85,
    HEARTS_46,
    HEARTS_74,
    PAYS_ALONE_85,
    PAYS_HEARTS_46,
    PAYS_HEARTS_74,
    SEVEN,
    ask,
    correct,
    record,
    start,
    total,
    void,
)


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    access, _ = clubs.found(any_database, name="Kitchen Table", passcode="four aces")
    return access


def test_accounts_stand_clockwise_and_hold_what_was_paid(
    any_database: Database, here: Access
) -> None:
    """One a seat, each with its player's name."""
    evening = start(any_database, here)
    record(any_database, here, evening, ALONE_85)
    found = ask(any_database, here, accounts.books, evening).accounts
    assert [account.seat for account in found] == list(SEVEN)
    assert {account.seat: account.balance for account in found} == PAYS_ALONE_85


def test_entries_follow_the_journal_a_part_at_a_time(any_database: Database, here: Access) -> None:
    """A correction reverses and writes anew; the last balances are those held now."""
    evening = start(any_database, here)
    record(any_database, here, evening, HEARTS_74)
    record(any_database, here, evening, ALONE_85)
    correct(any_database, here, evening, 1, HEARTS_46)
    found, count = ask(any_database, here, accounts.entries, evening)
    assert [(entry.kind, entry.hand) for entry in found] == [
        ("hand", 1),
        ("hand", 2),
        ("reversal", 1),
        ("hand", 1),
    ]
    assert count == 4
    held = {posting.account.seat: posting.balance for posting in found[-1].postings}
    assert held == total(PAYS_HEARTS_46, PAYS_ALONE_85)
    part, count = ask(any_database, here, accounts.entries, evening, offset=2, limit=1)
    assert (part, count) == (found[2:3], 4)
    assert ask(any_database, here, accounts.entries, evening, offset=10**9) == ([], 4)


def test_a_settlement_brings_everybody_to_zero(any_database: Database, here: Access) -> None:
    """Six owe 50 each to one: six payments."""
    evening = start(any_database, here)
    record(any_database, here, evening, ALONE_85)
    settled = ask(any_database, here, accounts.settlement, evening)
    assert settled.even
    assert {pay.payer for pay in settled.payments} == set(SEVEN) - {"Cyd"}
    assert {(pay.payee, pay.amount) for pay in settled.payments} == {("Cyd", 50)}


def test_what_has_become_money_is_not_paid_in_chips_once_more(
    any_database: Database, here: Access
) -> None:
    """After a conversion nothing is left; of a later hand only its own chips."""
    evening = start(any_database, here, rate=cash.TEN_FOR_ONE)
    record(any_database, here, evening, ALONE_85)
    cash.convert(any_database, here, evening)
    assert ask(any_database, here, accounts.settlement, evening) == SessionSettlement(
        "chips", True, ()
    )
    assert ask(any_database, here, session.summary, evening).payments == ()
    in_money = ask(any_database, here, session.summary, evening).money
    assert in_money is not None
    assert {(pay.payee, pay.amount) for pay in in_money.payments} == {("Cyd", 5)}
    record(any_database, here, evening, HEARTS_74)
    settled = ask(any_database, here, accounts.settlement, evening)
    got = dict.fromkeys(SEVEN, 0)
    for pay in settled.payments:
        got[pay.payee] += pay.amount
        got[pay.payer] -= pay.amount
    assert got == PAYS_HEARTS_74


def test_nobody_is_even_in_chips_while_somebody_who_left_was_paid_in_money(
    any_database: Database, here: Access
) -> None:
    """Neither over the API nor on paper."""
    evening = start(any_database, here, rate=cash.TEN_FOR_ONE)
    record(any_database, here, evening, ALONE_85)
    cash.leave(any_database, here, evening, "Cyd")
    assert ask(any_database, here, accounts.settlement, evening) == SessionSettlement(
        "chips", False, ()
    )
    said = ask(any_database, here, session.summary, evening).instead_of_payments
    assert "don't add up to 0" in said


def test_a_hand_keeps_every_version(any_database: Database, here: Access) -> None:
    """Recorded, corrected, voided: the last one holds."""
    evening = start(any_database, here)
    record(any_database, here, evening, HEARTS_74)
    correct(any_database, here, evening, 1, HEARTS_46)
    void(any_database, here, evening, 1)
    hand = ask(any_database, here, versions.of_hand, evening, 1)
    assert [each.record["points"] for each in hand] == [74, 46, 46]
    last = hand[-1]
    assert (last.state, last.version, last.verdict["outcome"]) == ("void", 3, "lost")
    assert [each.entry_id is None for each in hand] == [False, False, True]


@pytest.mark.parametrize("session_id", [7, 2**40, 2**63 - 1])
def test_what_is_not_there_is_not_found(
    any_database: Database, here: Access, session_id: int
) -> None:
    """Also by numbers that no row can have."""
    for read in (accounts.books, accounts.entries, accounts.settlement):
        with pytest.raises(NotFound, match=r"no such session|nothing with that number"):
            ask(any_database, here, read, session_id)
    evening = start(any_database, here)
    with pytest.raises(NotFound, match=r"no hand|nothing with that number"):
        ask(any_database, here, versions.of_hand, evening, session_id)
