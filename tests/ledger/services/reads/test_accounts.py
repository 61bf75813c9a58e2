"""The accounts, entries and settlement of a session, on both databases."""

import pytest

from ledger.services.hands import versions
from ledger.services.reads import accounts, session
from ledger.services.reads.accounts import SessionSettlement
from ledger.words.problems import NotFound
from tests.ledger import cash
from tests.ledger.evenings import CardClub
from tests.ledger.table import (
    ALONE_85,
    HEARTS_46,
    HEARTS_74,
    PAYS_ALONE_85,
    PAYS_HEARTS_46,
    PAYS_HEARTS_74,
    SEVEN,
    total,
)


def test_accounts_stand_clockwise_with_what_was_paid(any_club: CardClub) -> None:
    """One a seat, each with its player's name; a settlement brings everybody to zero."""
    evening = any_club.start(SEVEN)
    evening.record(ALONE_85)
    listed = evening.read(accounts.books).accounts
    assert [account.seat for account in listed] == list(SEVEN)
    assert {account.seat: account.balance for account in listed} == PAYS_ALONE_85
    settled = evening.read(accounts.settlement)
    assert settled.even
    assert {pay.payer for pay in settled.payments} == set(SEVEN) - {"Cyd"}
    assert {(pay.payee, pay.amount) for pay in settled.payments} == {("Cyd", 50)}


def test_entries_follow_the_journal_a_part_at_a_time(any_club: CardClub) -> None:
    """A correction reverses and writes again; the last balances are the current ones."""
    evening = any_club.start(SEVEN)
    evening.record(HEARTS_74)
    evening.record(ALONE_85)
    evening.correct(1, HEARTS_46)
    entries, count = evening.read(accounts.entries)
    assert [(entry.kind, entry.hand) for entry in entries] == [
        ("hand", 1),
        ("hand", 2),
        ("reversal", 1),
        ("hand", 1),
    ]
    assert count == 4
    balances = {posting.account.seat: posting.balance for posting in entries[-1].postings}
    assert balances == total(PAYS_HEARTS_46, PAYS_ALONE_85)
    assert evening.read(accounts.entries, offset=2, limit=1) == (entries[2:3], 4)
    assert evening.read(accounts.entries, offset=10**9) == ([], 4)


def test_what_has_become_money_is_not_paid_in_chips_once_more(sqlite_club: CardClub) -> None:
    """After a conversion nothing is left; of a later hand only its own chips."""
    evening = sqlite_club.start(SEVEN, rate=cash.TEN_FOR_ONE)
    evening.record(ALONE_85)
    evening.convert()
    assert evening.read(accounts.settlement) == SessionSettlement("chips", True, ())
    summary = evening.read(session.summary)
    assert summary.payments == ()
    assert summary.money is not None
    assert {(pay.payee, pay.amount) for pay in summary.money.payments} == {("Cyd", 5)}
    evening.record(HEARTS_74)
    paid = dict.fromkeys(SEVEN, 0)
    for pay in evening.read(accounts.settlement).payments:
        paid[pay.payee] += pay.amount
        paid[pay.payer] -= pay.amount
    assert paid == PAYS_HEARTS_74


def test_nobody_is_even_in_chips_while_somebody_who_left_was_paid_in_money(
    sqlite_club: CardClub,
) -> None:
    """Neither over the API nor on paper."""
    evening = sqlite_club.start(SEVEN, rate=cash.TEN_FOR_ONE)
    evening.record(ALONE_85)
    evening.leave("Cyd")
    assert evening.read(accounts.settlement) == SessionSettlement("chips", False, ())
    assert "don't add up to 0" in evening.read(session.summary).instead_of_payments


def test_a_hand_keeps_every_version(sqlite_club: CardClub) -> None:
    """Recorded, corrected, voided: the last one holds."""
    evening = sqlite_club.start(SEVEN)
    evening.record(HEARTS_74)
    evening.correct(1, HEARTS_46)
    evening.void(1)
    hand = evening.read(versions.of_hand, 1)
    last = hand[-1]
    assert [version.record["points"] for version in hand] == [74, 46, 46]
    assert (last.state, last.version, last.verdict["outcome"]) == ("void", 3, "lost")
    assert [version.entry_id is None for version in hand] == [False, False, True]


@pytest.mark.parametrize("number", [7, 2**40, 2**63 - 1])
def test_what_is_not_there_is_not_found(any_club: CardClub, number: int) -> None:
    """Also by numbers that no row can have."""
    for read in (accounts.books, accounts.entries, accounts.settlement):
        with pytest.raises(NotFound, match=r"no such session|nothing with that number"):
            any_club.evening(number).read(read)
    evening = any_club.start()
    with pytest.raises(NotFound, match=r"no hand|nothing with that number"):
        evening.read(versions.of_hand, number)
