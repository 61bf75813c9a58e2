"""The journal: balanced entries that are only ever added, on SQLite and on PostgreSQL."""

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select

from ledger.books import journal
from ledger.books.balances import AccountClosed
from ledger.books.chain import GENESIS, EntryHeader, seal
from ledger.books.journal import Misplaced, Unbalanced
from ledger.database.models import Account, AccountKind, EntryKind, JournalEntry, Posting
from tests.ledger.evenings import CardClub, Evening, another_club

AT = datetime(2026, 1, 31, 21, 15, 0, 123456, tzinfo=timezone(timedelta(hours=1)))


@pytest.fixture
def evening(any_club: CardClub) -> Evening:
    """A session of Ann, Bob and Cyd, without a hand yet."""
    return any_club.start(("Ann", "Bob", "Cyd"))


def header_of(session_id: int, kind: EntryKind = EntryKind.HAND) -> EntryHeader:
    """Return the header of a test's entry."""
    return EntryHeader(session_id, kind, "Sue", AT, AT, reason="a test")


def accounts(evening: Evening) -> list[int]:
    """Return the account ids of a session's seats, clockwise."""
    return [seat.account_id for seat in evening.view.seats]


def post(evening: Evening, *amounts: int) -> int:
    """Write an entry of these amounts, seat by seat; return its id."""
    moved = dict(zip(accounts(evening), amounts, strict=True))
    with evening.club.writing() as session:
        return journal.post(session, header_of(evening.id), moved)


def postings(evening: Evening, entry_id: int) -> list[tuple[int, int]]:
    """Return amount and running balance of an entry's postings, in account order."""
    query = select(Posting).where(Posting.entry_id == entry_id).order_by(col(Posting.account_id))
    with evening.club.db.read(evening.club.access) as session:
        return [(posting.amount, posting.balance) for posting in session.exec(query)]


def reverse(evening: Evening, entry_id: int) -> int:
    """Reverse an entry, as a correction does; return the reversal's id."""
    with evening.club.writing() as session:
        return journal.reverse(session, entry_id, author="Tom", at=AT, reason="miscounted")


def chain(club: CardClub) -> list[JournalEntry]:
    """Return a club's entries, first to last."""
    with club.db.read(club.access) as session:
        return list(session.exec(select(JournalEntry).order_by(col(JournalEntry.id))))


def test_an_entry_moves_chips_and_keeps_each_running_balance(evening: Evening) -> None:
    """A posting states the account's balance after it; the account has the same."""
    first = post(evening, 30, -10, -20)
    second = post(evening, -50, 25, 25)
    assert postings(evening, first) == [(30, 30), (-10, -10), (-20, -20)]
    assert postings(evening, second) == [(-50, -20), (25, 15), (25, 5)]
    assert evening.balances == {"Ann": -20, "Bob": 15, "Cyd": 5}


def test_an_entry_that_does_not_balance_is_refused_and_leaves_no_trace(evening: Evening) -> None:
    """A chip too many is a mistake of the program, and nothing is written."""
    with evening.club.refuses(Unbalanced, "'chips': 1"):
        post(evening, 31, -10, -20)
    assert set(evening.balances.values()) == {0}


def test_each_unit_balances_by_itself(evening: Evening) -> None:
    """Ten chips against ten cents is no balance, though the numbers cancel."""
    chips, *_ = accounts(evening)
    with evening.club.writing() as session:
        till = journal.open_account(session, AccountKind.TILL, session_id=evening.id, unit="EUR")
    header = header_of(evening.id, EntryKind.CONVERSION)
    with evening.club.refuses(Unbalanced), evening.club.writing() as session:
        journal.post(session, header, {chips: 10, till.id: -10})


def test_an_entry_moves_what_its_kind_may_and_nothing_else(evening: Evening) -> None:
    """No loan moves a pot, nor another session's seats; nothing of it is written."""
    club = evening.club
    mine, theirs = (accounts(each)[0] for each in (evening, club.start()))
    with club.writing() as session:
        pot = journal.open_account(session, AccountKind.POT, session_id=evening.id, name="frog")
    for moved in ({mine: 5, pot.id: -5}, {mine: 5, theirs: -5}):
        with club.refuses(Misplaced), club.writing() as session:
            journal.post(session, header_of(evening.id, EntryKind.LOAN), moved)


def test_an_amount_of_zero_leaves_no_posting(evening: Evening) -> None:
    """A hand that moves nothing is an entry still; the database refuses a posting past the journal."""
    entry = post(evening, 5, 0, -5)
    assert len(postings(evening, entry)) == 2
    assert postings(evening, post(evening, 0, 0, 0)) == []
    account, *_ = accounts(evening)
    with evening.club.refuses(IntegrityError), evening.club.writing() as session:
        session.add(Posting(entry_id=entry, account_id=account, amount=0, balance=5))


def test_an_account_of_another_club_cannot_be_posted_to(evening: Evening) -> None:
    """To the journal it does not exist, and nothing is written."""
    foreign, *_ = accounts(another_club(evening.club.db).start())
    own, *_ = accounts(evening)
    refused = evening.club.refuses(LookupError, f"\\[{foreign}\\]")
    with refused, evening.club.writing() as session:
        journal.post(session, header_of(evening.id), {own: 5, foreign: -5})


def test_a_reversal_takes_back_what_its_entry_moved_once(evening: Evening) -> None:
    """Whatever was moved since stays; the reversal names its entry, its author and its reason."""
    first = post(evening, 30, -10, -20)
    post(evening, 1, 1, -2)
    assert postings(evening, reverse(evening, first)) == [(-30, 1), (10, 1), (20, -2)]
    balances = {"Ann": 1, "Bob": 1, "Cyd": -2}
    assert evening.balances == balances
    entry = chain(evening.club)[-1]
    assert (entry.kind, entry.reverses_id, entry.session_id) == ("reversal", first, evening.id)
    assert (entry.author, entry.reason) == ("Tom", "miscounted")
    with evening.club.refuses(IntegrityError):
        reverse(evening, first)
    assert evening.balances == balances


def test_each_entry_seals_the_one_before_it_in_its_club(evening: Evening) -> None:
    """The first follows on nothing; another club's entries in between are no part of the chain."""
    elsewhere = another_club(evening.club.db).start(("Xan", "Yve", "Zed"))
    for amount in (5, 6, 7):
        post(evening, amount, 0, -amount)
        post(elsewhere, amount, 0, -amount)
    for club in (evening.club, elsewhere.club):
        entries = chain(club)
        digests = [entry.digest for entry in entries]
        assert [entry.previous_digest for entry in entries] == [GENESIS, *digests[:-1]]
        assert len(set(digests)) == 5


def test_a_digest_can_be_made_again_from_the_database(evening: Evening) -> None:
    """From what either database gives back, whatever zone the hand's time was stated in."""
    reverse(evening, post(evening, 30, -10, -20))
    for entry in chain(evening.club):
        assert entry.session_id is None or entry.occurred_at == AT
        assert entry.occurred_at.tzinfo == UTC
        with evening.club.db.read(evening.club.access) as session:
            rows = session.exec(select(Posting).where(Posting.entry_id == entry.id))
            moved = {posting.account_id: posting.amount for posting in rows}
        header = EntryHeader(
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
        assert seal(entry.previous_digest, header, moved) == entry.digest


SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    "change",
    [
        {"reason": None},
        {"session_id": 2},
        {"kind": EntryKind.REVERSAL},
        {"author": "Tom"},
        {"occurred_at": AT + SECOND},
        {"entered_at": AT + SECOND},
        {"hand_id": 1},
        {"reverses_id": 1},
    ],
)
def test_a_digest_changes_with_all_that_an_entry_says(change: dict[str, object]) -> None:
    """Nothing of an entry can be altered unseen: not its words, its amounts or what came before."""
    header, amounts = header_of(1), {1: 5, 2: -5}
    digest = seal(GENESIS, header, amounts)
    assert seal(GENESIS, header._replace(**change), amounts) != digest  # type: ignore[arg-type]
    assert seal(GENESIS, header, {1: 6, 2: -6}) != digest
    assert seal(GENESIS, header, {1: 5, 3: -5}) != digest
    assert seal(digest, header, amounts) != digest
    assert seal(GENESIS, header, {2: -5, 1: 5}) == digest
    one, other = (
        header._replace(details={"rate": rate})
        for rate in ({"chips": 1, "money": 2}, {"money": 2, "chips": 1})
    )
    assert seal(GENESIS, one, amounts) == seal(GENESIS, other, amounts)


def test_there_is_one_account_of_a_kind_and_owner(evening: Evening) -> None:
    """Asked for again it is found, not opened twice; pots go by their names, money by its currency."""
    ann, number = evening.club.player("Ann"), evening.id
    with evening.club.writing() as session:

        def opened() -> list[Account]:
            of_session = [
                *((kind, None) for kind in (AccountKind.BANK, AccountKind.WORLD)),
                (AccountKind.DIFFERENCES, None),
                *((AccountKind.POT, name) for name in ("frog", "solo")),
            ]
            return [
                *(
                    journal.open_account(session, kind, session_id=number, name=name)
                    for kind, name in of_session
                ),
                *(
                    journal.open_account(session, AccountKind.PLAYER, player_id=ann, unit=unit)
                    for unit in ("EUR", "USD")
                ),
            ]

        first = opened()
        assert [account.id for account in opened()] == [account.id for account in first]
    names = ("bank", "world", "differences", "pot/frog", "pot/solo")
    assert [account.key for account in first] == [
        *(f"session/{number}/{name}" for name in names),
        *(f"player/{ann}/{unit}" for unit in ("EUR", "USD")),
    ]


def test_the_database_refuses_a_second_account_of_the_same_key(evening: Evening) -> None:
    """In one club; two clubs have their own."""
    key = f"seat/{evening.seat('Ann').id}"
    with evening.club.refuses(IntegrityError), evening.club.writing() as session:
        session.add(Account(key=key, kind="seat", session_id=evening.id))
    with another_club(evening.club.db).writing() as session:
        session.add(Account(key=key, kind="seat"))


def test_a_closed_account_takes_no_posting_until_it_is_reopened(evening: Evening) -> None:
    """The journal says whose it is, and nothing of the entry is written."""
    _, bob, _ = accounts(evening)
    with evening.club.writing() as session:
        journal.close_account(session, bob, AT)
    with evening.club.refuses(AccountClosed, "Bob has cashed out") as caught:
        post(evening, 5, -5, 0)
    assert caught.value.status == 409
    post(evening, 5, 0, -5)
    with evening.club.writing() as session:
        journal.close_account(session, bob, None)
    post(evening, 5, -5, 0)
    assert evening.balances == {"Ann": 10, "Bob": -5, "Cyd": -5}


def test_details_are_stored_and_sealed(any_club: CardClub) -> None:
    """An entry of the club, of no session: what it was done by can be sealed again from the database."""
    details = {"rate": {"money": 1, "chips": 10}, "converted": {"2": -5, "10": 5}}
    header = EntryHeader(None, EntryKind.CONVERSION, "Sue", AT, AT, details=details)
    with any_club.writing() as session:
        journal.post(session, header, {})
    founding, entry = chain(any_club)
    assert (entry.session_id, entry.details) == (None, details)
    assert seal(founding.digest, header._replace(details=entry.details), {}) == entry.digest
    changed = {**details, "rate": {"money": 2, "chips": 10}}
    assert seal(founding.digest, header._replace(details=changed), {}) != entry.digest


def test_an_entry_without_details_is_sealed_as_the_first_release_did() -> None:
    """Their chains stay whole; this digest is of an entry made before there were details."""
    sealed = seal(GENESIS, header_of(1), {1: 5, 2: -5})
    assert sealed == seal(GENESIS, header_of(1)._replace(details={}), {2: -5, 1: 5})
    times = [AT.astimezone(UTC).isoformat()] * 2
    content = ["0" * 64, 1, "hand", None, None, "Sue", "a test", *times, [[1, 5], [2, -5]]]
    encoded = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    assert sealed == hashlib.sha256(encoded.encode()).hexdigest()
