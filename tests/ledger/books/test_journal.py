"""The journal: balanced entries that are only ever added, on SQLite and on PostgreSQL."""

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlmodel import col, select

from ledger.books import journal
from ledger.books.balances import AccountClosed
from ledger.books.chain import GENESIS, EntryHeader, seal
from ledger.books.journal import Misplaced, Unbalanced
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Account, AccountKind, EntryKind, JournalEntry, Player, Posting
from ledger.services.club import clubs
from ledger.services.session.load import load
from tests.ledger import table
from tests.ledger.table import ask

AT = datetime(2026, 1, 31, 21, 15, 0, 123456, tzinfo=timezone(timedelta(hours=1)))


@pytest.fixture
def access(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.create(any_database, name="Kitchen Table", passcode="123456", author="Sue")[0]


@pytest.fixture
def session_id(any_database: Database, access: Access) -> int:
    """A session of Ann, Bob and Cyd, without a hand yet."""
    return table.start(any_database, access, ("Ann", "Bob", "Cyd"))


def a_header(session_id: int) -> EntryHeader:
    """Return what a test's entry is for."""
    return EntryHeader(session_id, EntryKind.HAND, "Sue", AT, AT, reason="a test")


def accounts(db: Database, access: Access, session_id: int) -> list[int]:
    """Return the account ids of a session's seats, clockwise."""
    return [seat.account_id for seat in ask(db, access, load, session_id).seats]


def post(db: Database, access: Access, session_id: int, *amounts: int) -> int:
    """Write an entry of these amounts, seat by seat; return its id."""
    moved = dict(zip(accounts(db, access, session_id), amounts, strict=True))
    with db.write(access) as session:
        return journal.post(session, a_header(session_id), moved)


def postings(db: Database, access: Access, entry_id: int) -> list[tuple[int, int]]:
    """Return amount and running balance of an entry's postings, in account order."""
    wanted = select(Posting).where(Posting.entry_id == entry_id).order_by(col(Posting.account_id))
    with db.read(access) as session:
        return [(posting.amount, posting.balance) for posting in session.exec(wanted)]


def balances(db: Database, access: Access, session_id: int) -> list[int]:
    """Return what the accounts of a session's seats hold, clockwise."""
    return [seat.balance for seat in ask(db, access, load, session_id).seats]


def test_an_entry_moves_chips_and_keeps_each_running_balance(
    any_database: Database, access: Access, session_id: int
) -> None:
    """A posting says what the account held after it; the account holds the same."""
    first = post(any_database, access, session_id, 30, -10, -20)
    second = post(any_database, access, session_id, -50, 25, 25)
    assert postings(any_database, access, first) == [(30, 30), (-10, -10), (-20, -20)]
    assert postings(any_database, access, second) == [(-50, -20), (25, 15), (25, 5)]
    assert balances(any_database, access, session_id) == [-20, 15, 5]


def test_an_entry_that_does_not_balance_is_refused_and_leaves_no_trace(
    any_database: Database, access: Access, session_id: int
) -> None:
    """A chip too many is a mistake of the program, and nothing is written."""
    before = table.row_counts(any_database)
    with pytest.raises(Unbalanced, match="'chips': 1"):
        post(any_database, access, session_id, 31, -10, -20)
    assert table.row_counts(any_database) == before
    assert balances(any_database, access, session_id) == [0, 0, 0]


def test_each_unit_balances_by_itself(
    any_database: Database, access: Access, session_id: int
) -> None:
    """Ten chips against ten cents is no balance, though the numbers cancel."""
    chips, *_ = accounts(any_database, access, session_id)
    with any_database.write(access) as session:
        till = journal.open_account(session, AccountKind.TILL, session_id=session_id, unit="EUR")
    before = table.row_counts(any_database)
    header = a_header(session_id)._replace(kind=EntryKind.CONVERSION)
    with pytest.raises(Unbalanced), any_database.write(access) as session:
        journal.post(session, header, {chips: 10, till.id: -10})
    assert table.row_counts(any_database) == before


def test_an_entry_moves_what_its_kind_may_and_nothing_else(
    any_database: Database, access: Access, session_id: int
) -> None:
    """No loan moves a pot, no hand another session's seats; nothing of it is written."""
    other = table.start(any_database, access, ("Ann", "Bob", "Cyd"))
    mine, theirs = (accounts(any_database, access, each)[0] for each in (session_id, other))
    with any_database.write(access) as session:
        pot = journal.open_account(session, AccountKind.POT, session_id=session_id, name="frog")
    before = table.row_counts(any_database)
    lent = a_header(session_id)._replace(kind=EntryKind.LOAN)
    for header, moved in ((lent, {mine: 5, pot.id: -5}), (lent, {mine: 5, theirs: -5})):
        with pytest.raises(Misplaced), any_database.write(access) as session:
            journal.post(session, header, moved)
    assert table.row_counts(any_database) == before


def test_an_amount_of_zero_leaves_no_posting(
    any_database: Database, access: Access, session_id: int
) -> None:
    """Whoever is not touched by a hand has no line in it; a hand that moves nothing is an entry still."""
    assert (
        len(postings(any_database, access, post(any_database, access, session_id, 5, 0, -5))) == 2
    )
    assert postings(any_database, access, post(any_database, access, session_id, 0, 0, 0)) == []


def test_the_database_refuses_a_posting_of_zero(
    any_database: Database, access: Access, session_id: int
) -> None:
    """Also where somebody writes one past the journal."""
    entry_id = post(any_database, access, session_id, 5, 0, -5)
    account_id, *_ = accounts(any_database, access, session_id)
    with pytest.raises(IntegrityError), any_database.write(access) as session:
        session.add(Posting(entry_id=entry_id, account_id=account_id, amount=0, balance=5))


def test_an_account_of_another_club_cannot_be_posted_to(
    any_database: Database, access: Access, session_id: int
) -> None:
    """To the journal it does not exist, and nothing is written."""
    other, _ = clubs.create(any_database, name="Other Table", passcode="123456")
    foreign, *_ = accounts(any_database, other, table.start(any_database, other, table.FOUR))
    own, *_ = accounts(any_database, access, session_id)
    before = table.row_counts(any_database)
    with (
        pytest.raises(LookupError, match=f"\\[{foreign}\\]"),
        any_database.write(access) as session,
    ):
        journal.post(session, a_header(session_id), {own: 5, foreign: -5})
    assert table.row_counts(any_database) == before


def reverse(db: Database, access: Access, entry_id: int) -> int:
    """Reverse an entry, as a correction does; return the reversal's id."""
    with db.write(access) as session:
        return journal.reverse(session, entry_id, author="Tom", at=AT, reason="miscounted")


def test_a_reversal_takes_back_what_its_entry_moved(
    any_database: Database, access: Access, session_id: int
) -> None:
    """Whatever was moved since stays; the reversal names its entry, its author and its reason."""
    first = post(any_database, access, session_id, 30, -10, -20)
    post(any_database, access, session_id, 1, 1, -2)
    reversal = reverse(any_database, access, first)
    assert postings(any_database, access, reversal) == [(-30, 1), (10, 1), (20, -2)]
    assert balances(any_database, access, session_id) == [1, 1, -2]
    back = chain(any_database, access)[-1]
    assert (back.kind, back.reverses_id, back.author, back.reason, back.session_id) == (
        "reversal",
        first,
        "Tom",
        "miscounted",
        session_id,
    )


def test_the_database_refuses_a_second_reversal_of_the_same_entry(
    any_database: Database, access: Access, session_id: int
) -> None:
    """Chips can be taken back only once; the failed reversal leaves no trace."""
    entry_id = post(any_database, access, session_id, 30, -10, -20)
    reverse(any_database, access, entry_id)
    before = table.row_counts(any_database)
    with pytest.raises(IntegrityError):
        reverse(any_database, access, entry_id)
    assert table.row_counts(any_database) == before
    assert balances(any_database, access, session_id) == [0, 0, 0]


@pytest.mark.parametrize("guarded", ["journal_entry", "posting", "hand_version"])
@pytest.mark.parametrize("change", ["UPDATE {} SET club_id = club_id", "DELETE FROM {}"])
def test_the_database_refuses_every_change_of_what_was_written(
    any_database: Database, access: Access, session_id: int, guarded: str, change: str
) -> None:
    """Entries, postings and versions of hands: no UPDATE and no DELETE, whoever sends it."""
    table.record(
        any_database,
        access,
        session_id,
        {"contract": {"bidder": "Ann", "bid": "go-alone", "trump": "S"}, "points": 85},
    )
    before = table.row_counts(any_database)
    assert before[guarded] > 0
    with (
        pytest.raises(
            DatabaseError, match=f"the books only grow: no {change.split()[0]} on {guarded}"
        ),
        any_database.write() as session,
    ):
        session.execute(text(change.format(guarded)))
    assert table.row_counts(any_database) == before


@pytest.mark.postgres
@pytest.mark.parametrize("any_database", ["postgres"], indirect=True)
def test_postgresql_refuses_to_empty_the_books(any_database: Database) -> None:
    """TRUNCATE would pass by triggers on DELETE; it has its own."""
    with pytest.raises(DatabaseError, match="no TRUNCATE"), any_database.write() as session:
        session.execute(text("TRUNCATE journal_entry CASCADE"))


def chain(db: Database, access: Access) -> list[JournalEntry]:
    """Return a club's entries, first to last."""
    with db.read(access) as session:
        return list(session.exec(select(JournalEntry).order_by(col(JournalEntry.id))))


def test_each_entry_seals_the_one_before_it_in_its_club(
    any_database: Database, access: Access, session_id: int
) -> None:
    """The first follows on nothing; another club's entries in between are no part of the chain."""
    other, _ = clubs.create(any_database, name="Other Table", passcode="123456")
    elsewhere = table.start(any_database, other, ("Xan", "Yve", "Zed"))
    for amount in (5, 6, 7):
        post(any_database, access, session_id, amount, 0, -amount)
        post(any_database, other, elsewhere, amount, 0, -amount)
    for each in (access, other):
        entries = chain(any_database, each)
        assert [entry.previous_digest for entry in entries] == [
            GENESIS,
            *(entry.digest for entry in entries[:-1]),
        ]
        assert len({entry.digest for entry in entries}) == 5


def test_a_digest_can_be_made_again_from_the_books(
    any_database: Database, access: Access, session_id: int
) -> None:
    """From what either database gives back, whatever zone the hand's time was said in."""
    entry_id = post(any_database, access, session_id, 30, -10, -20)
    reverse(any_database, access, entry_id)
    for entry in chain(any_database, access):
        assert entry.session_id is None or entry.occurred_at == AT
        assert entry.occurred_at.tzinfo == UTC
        with any_database.read(access) as session:
            moved = {
                posting.account_id: posting.amount
                for posting in session.exec(select(Posting).where(Posting.entry_id == entry.id))
            }
        said = EntryHeader(
            entry.session_id,
            EntryKind(entry.kind),
            entry.author,
            entry.occurred_at,
            entry.entered_at,
            entry.hand_id,
            entry.reason,
            entry.reverses_id,
            entry.details,
        )
        assert seal(entry.previous_digest, said, moved) == entry.digest


@pytest.mark.parametrize(
    "changed",
    [
        EntryHeader(1, EntryKind.HAND, "Sue", AT, AT),
        EntryHeader(2, EntryKind.HAND, "Sue", AT, AT, reason="a test"),
        EntryHeader(1, EntryKind.REVERSAL, "Sue", AT, AT, reason="a test"),
        EntryHeader(1, EntryKind.HAND, "Tom", AT, AT, reason="a test"),
        EntryHeader(1, EntryKind.HAND, "Sue", AT + timedelta(seconds=1), AT, reason="a test"),
        EntryHeader(1, EntryKind.HAND, "Sue", AT, AT + timedelta(seconds=1), reason="a test"),
        EntryHeader(1, EntryKind.HAND, "Sue", AT, AT, hand_id=1, reason="a test"),
        EntryHeader(1, EntryKind.HAND, "Sue", AT, AT, reverses_id=1, reason="a test"),
    ],
)
def test_a_digest_changes_with_all_that_an_entry_says(changed: EntryHeader) -> None:
    """Nothing of an entry can be altered unseen: not its words, its amounts or what came before."""
    said, amounts = a_header(1), {1: 5, 2: -5}
    digest = seal(GENESIS, said, amounts)
    assert seal(GENESIS, changed, amounts) != digest
    assert seal(GENESIS, said, {1: 6, 2: -6}) != digest
    assert seal(GENESIS, said, {1: 5, 3: -5}) != digest
    assert seal(digest, said, amounts) != digest
    assert seal(GENESIS, said, {2: -5, 1: 5}) == digest


def test_there_is_one_account_of_a_kind_and_owner(
    any_database: Database, access: Access, session_id: int
) -> None:
    """Asked for again it is found, not opened twice; pots go by their names, money by its currency."""
    with any_database.write(access) as session:
        (ann, *_) = session.exec(select(Player).order_by(col(Player.id)))

        def ask() -> list[Account]:
            opened = [
                journal.open_account(session, kind, session_id=session_id)
                for kind in (AccountKind.BANK, AccountKind.WORLD, AccountKind.DIFFERENCES)
            ]
            opened += [
                journal.open_account(session, AccountKind.POT, session_id=session_id, name=name)
                for name in ("frog", "solo")
            ]
            opened += [
                journal.open_account(session, AccountKind.PLAYER, player_id=ann.id, unit=unit)
                for unit in ("EUR", "USD")
            ]
            return opened

        first = ask()
        assert [account.id for account in ask()] == [account.id for account in first]
    assert [account.key for account in first] == [
        *(f"session/{session_id}/{kind}" for kind in ("bank", "world", "differences")),
        f"session/{session_id}/pot/frog",
        f"session/{session_id}/pot/solo",
        f"player/{ann.id}/EUR",
        f"player/{ann.id}/USD",
    ]


def test_the_database_refuses_a_second_account_of_the_same_key(
    any_database: Database, access: Access, session_id: int
) -> None:
    """In one club; two clubs have their own."""
    own, *_ = accounts(any_database, access, session_id)
    with any_database.read(access) as session:
        key = session.exec(select(Account.key).where(Account.id == own)).one()
    with pytest.raises(IntegrityError), any_database.write(access) as session:
        session.add(Account(key=key, kind="seat", session_id=session_id))
    other, _ = clubs.create(any_database, name="Other Table", passcode="123456")
    with any_database.write(other) as session:
        session.add(Account(key=key, kind="seat"))


def test_a_closed_account_takes_no_posting_until_it_is_reopened(
    any_database: Database, access: Access, session_id: int
) -> None:
    """The journal says whose it is, and nothing of the entry is written."""
    _, bob, _ = accounts(any_database, access, session_id)
    with any_database.write(access) as session:
        journal.close_account(session, bob, AT)
    before = table.row_counts(any_database)
    with pytest.raises(AccountClosed, match="Bob has cashed out") as caught:
        post(any_database, access, session_id, 5, -5, 0)
    assert caught.value.status == 409
    assert table.row_counts(any_database) == before
    post(any_database, access, session_id, 5, 0, -5)
    with any_database.write(access) as session:
        journal.close_account(session, bob, None)
    post(any_database, access, session_id, 5, -5, 0)
    assert balances(any_database, access, session_id) == [10, -5, -5]


def test_details_are_kept_and_sealed(any_database: Database, access: Access) -> None:
    """An entry of the club, of no session: what it was done by can be sealed again from the books."""
    said = {"rate": {"money": 1, "chips": 10}, "converted": {"2": -5, "10": 5}}
    header = EntryHeader(None, EntryKind.CONVERSION, "Sue", AT, AT, details=said)
    with any_database.write(access) as session:
        journal.post(session, header, {})
    founding, entry = chain(any_database, access)
    assert (entry.session_id, entry.details) == (None, said)
    sealed = seal(founding.digest, header._replace(details=entry.details), {})
    assert sealed == entry.digest
    changed = {**said, "rate": {"money": 2, "chips": 10}}
    assert seal(founding.digest, header._replace(details=changed), {}) != entry.digest


def test_an_entry_without_details_is_sealed_as_the_first_books_did() -> None:
    """Their chains stay whole; this digest is of an entry made before there were details."""
    sealed = seal(GENESIS, a_header(1), {1: 5, 2: -5})
    assert sealed == seal(GENESIS, a_header(1)._replace(details={}), {2: -5, 1: 5})
    said = [GENESIS, 1, "hand", None, None, "Sue", "a test", *[AT.astimezone(UTC).isoformat()] * 2]
    text = json.dumps([*said, [[1, 5], [2, -5]]], ensure_ascii=False, separators=(",", ":"))
    assert sealed == hashlib.sha256(text.encode()).hexdigest()
