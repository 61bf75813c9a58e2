"""The rows read for a page do not grow with the club: no query walks through all of a club's rows.

The benchmark measures it; this looks at how SQLite, which has no statistics to go by, means to search.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.database.models import Account, AccountKind, EntryKind, JournalEntry
from ledger.runtime.clock import now
from ledger.services.chips import payout
from ledger.services.club import players
from ledger.services.hands import correct, record
from ledger.services.money import expenses, payments, statements
from ledger.services.reads import (
    accounts,
    club_statistics,
    head_to_head,
    period_summary,
    ratings,
    records,
    statistics,
)
from ledger.services.reads import session as reads_session
from ledger.services.reads import sessions as reads_sessions
from ledger.services.session.session_filter import SessionFilter
from ledger.services.table import start
from ledger.services.undo import entry, last
from ledger.services.undo import leaving as undo_leaving
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub, Evening, plan_of, sent_by

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FAR = datetime(2999, 1, 1, tzinfo=UTC)


def statement(club: CardClub, offset: int) -> statements.Statement:
    """Read a page of the changes of Ann's money."""
    return club.read(statements.of_player, club.player("Ann"), offset=offset, limit=20)


def balance(evening: Evening, at: datetime) -> int:
    """Read Ann's balance in chips at some time."""
    return evening.club.read(statements.balance_at, evening.seat("Ann").account_id, at)


def pay_back_and_forth(club: CardClub, times: int) -> None:
    """Move Ann's money, once a second from now on; written past the services, which take their time."""
    ids = [club.player("Ann"), club.player("Bob")]
    with club.db.write(club.access) as session:
        ann, bob = (
            journal.open_account(session, AccountKind.PLAYER, player_id=number, unit="EUR").id
            for number in ids
        )
        for second in range(times):
            at = now() + timedelta(seconds=second)
            header = EntryHeader(None, EntryKind.PAYMENT, "Sue", at, at)
            journal.post(session, header, {ann: 1, bob: -1})


def settle_scores(evening: Evening) -> object:
    """Look for payments at a table that plays for scores."""
    scores = evening.club.start(game="german-solo")
    scores.record(table.german_solo("Ann"))
    return scores.read(accounts.settlement)


def share(evening: Evening) -> object:
    """Share an expense."""
    cost = {"title": "Pizza", "amount": 50, "payer": "Ann", "shared_by": [("Bob", 1)]}
    return evening.club.do(expenses.share, **cost)


READS: dict[str, Callable[[Evening], object]] = {
    "the board": lambda e: e.read(reads_session.board),
    "a page of hands": lambda e: e.read(reads_session.hands, first=2),
    "the oldest page of hands": lambda e: e.read(reads_session.hands, first=1, last=1),
    "the balances": lambda e: e.read(accounts.books),
    "the journal": lambda e: e.read(accounts.entries),
    "who deals next": lambda e: e.read(record.propose),
    "what was written last": lambda e: e.read(last.look),
    "recording a hand": lambda e: e.record(table.HEARTS_74),
    "correcting a hand": lambda e: e.correct(1, table.HEARTS_46),
    "the list of sessions": lambda e: e.club.read(start.list_all, limit=20),
    "a player's statistics": lambda e: e.club.read(statistics.of_player, 1),
    "the club's history": lambda e: e.club.read(reads_sessions.of_club),
    "a player's evenings": lambda e: e.club.read(reads_sessions.of_player, 1, offset=0),
    "head to head": lambda e: e.club.read(head_to_head.head_to_head),
    "what settles scores": settle_scores,
    "settling up": lambda e: e.club.read(payments.settle_up),
    "a statement's first page": lambda e: statement(e.club, 0),
    "a statement's middle page": lambda e: statement(e.club, 20),
    "a statement's last page": lambda e: statement(e.club, 40),
    "a balance before anything": lambda e: balance(e, EPOCH),
    "a balance as it was": lambda e: balance(e, e.read(accounts.entries)[0][1].entered_at),
    "a balance now": lambda e: balance(e, now()),
    "a page of the journal": lambda e: e.read(accounts.entries, offset=2, limit=2),
    "chips in hand": lambda e: e.read(payout.holdings),
    "counting chips": lambda e: e.count({"Ann": {5: 1}}, post=True),
    "borrowing": lambda e: e.lend("Ann", 20),
    "leaving": lambda e: e.leave("Ann"),
    "converting": lambda e: e.convert(cash.TEN_FOR_ONE),
    "paying": lambda e: e.club.pay("Ann", "Bob", 5),
    "sharing an expense": share,
    "the expenses": lambda e: e.club.read(expenses.page_of, limit=2),
}

LISTED_BY_CLUB = (
    "autoindex_journal_entry_1",
    "autoindex_club_origin",
    "play_session",
    "ix_versus",
    "autoindex_player",
    "ix_api",
    "ix_account_till_not_empty",
)
"""Indexes by club that are walked in order, a few rows far, or hold a row a player, or hardly any."""


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_no_query_searches_a_whole_club(
    sqlite_club: CardClub, read: Callable[[Evening], object]
) -> None:
    """Each table is entered by its key, or by the session, hand, seat or player that is asked for."""
    evening = sqlite_club.start(table.SEVEN)
    for hand in (table.HEARTS_74, table.ALONE_85, table.HEARTS_46):
        evening.record(hand)
    pay_back_and_forth(sqlite_club, 45)
    with sent_by(sqlite_club) as requests:
        read(evening)
    assert requests
    for query, parameters in requests:
        for step in plan_of(sqlite_club, query, parameters):
            # A JSON parameter is a virtual table, and no club's.
            scanned = step.startswith("SCAN") and " VIRTUAL TABLE " not in step
            assert not scanned or step.endswith(("ROW", "(subquery-1)")), step
            walked = "(club_id=?)" in step
            assert not walked or any(name in step for name in LISTED_BY_CLUB), (step, query)
            if walked and "journal_entry" in step:
                # In order, to the first row or a page of them.
                assert " LIMIT " in query, (step, query)


def test_an_evenings_money_is_found_without_its_hands(sqlite_club: CardClub) -> None:
    """By the index of the entries that are no hand's: a long evening costs as much as a short one."""
    sqlite_club.start()
    with sent_by(sqlite_club) as requests:
        sqlite_club.read(reads_sessions.of_club)
    (query,) = [each for each in requests if "journal_entry" in each[0]]
    assert any("ix_journal_entry_beside_hands" in step for step in plan_of(sqlite_club, *query))


def steps(club: CardClub, act: Callable[[], object]) -> int:
    """Count the steps of SQLite's machine for an act: its work, independent of the clock."""
    taken = 0
    engine = club.db.engine

    def step() -> int:
        nonlocal taken
        taken += 1
        return 0

    @event.listens_for(engine, "before_cursor_execute")
    def count(_c: Any, cursor: Any, _statement: str, _given: Any, _context: Any, _m: bool) -> None:
        cursor.connection.set_progress_handler(step, 1)

    act()
    event.remove(engine, "before_cursor_execute", count)
    engine.dispose()  # the connections are counted on no more
    return taken


SIZES = (50, 1000)


def test_a_balance_as_it_was_costs_the_same_however_long_the_journal_is(
    sqlite_club: CardClub,
) -> None:
    """Before all, at the first of fifty entries or of a thousand, in the middle, at the last, afterwards."""
    ann = sqlite_club.do(players.add, name="Ann")["id"]
    sqlite_club.do(players.add, name="Bob")
    costs: list[list[int]] = []
    for size in SIZES:
        pay_back_and_forth(sqlite_club, size)
        with sqlite_club.db.read(sqlite_club.access) as session:
            account = session.exec(select(Account.id).where(Account.player_id == ann)).one()
            in_order = select(JournalEntry.entered_at).order_by(col(JournalEntry.entered_at))
            entered = session.exec(in_order).all()
        instants = (EPOCH, entered[0], entered[len(entered) // 2], entered[-1], FAR)
        reads = [partial(sqlite_club.read, statements.balance_at, account, at) for at in instants]
        costs.append([steps(sqlite_club, read) for read in reads])
    assert min(costs[0]) > 0
    assert costs[0] == costs[1]


def test_the_oldest_page_of_hands_costs_what_it_does_in_a_short_evening(
    sqlite_club: CardClub,
) -> None:
    """The running totals of the first hands are found without those that came after; the newest, too."""
    costs: list[list[int]] = []
    for size in (30, 240):
        evening = sqlite_club.start(table.SEVEN)
        for _ in range(size):
            evening.record(table.HEARTS_74)
        reads = [
            partial(evening.read, reads_session.hands, first=first, last=last)
            for first, last in ((1, 10), (size - 9, size))
        ]
        costs.append([steps(sqlite_club, read) for read in reads])
    assert min(costs[0]) > 0
    assert costs[0] == costs[1]


def test_a_page_of_a_statement_reads_no_line_that_it_does_not_show(sqlite_club: CardClub) -> None:
    """First, middle or last: of each other line only its place in an index is counted and skipped."""
    sqlite_club.do(players.add, name="Ann")
    sqlite_club.do(players.add, name="Bob")
    costs: list[list[int]] = []
    total = 0
    for size in SIZES:
        pay_back_and_forth(sqlite_club, size)
        total += size
        offsets = (0, total // 2, total - 20)
        costs.append([steps(sqlite_club, partial(statement, sqlite_club, at)) for at in offsets])
    for small, large in zip(*costs, strict=True):
        assert large - small < 8 * SIZES[1], (small, large)


def test_evenings_that_a_page_does_not_show_are_only_counted(sqlite_club: CardClub) -> None:
    """A player's total is known without them: each costs its place in an index, and more only if listed."""
    costs: list[int] = []
    for size in (30, 100):
        for _ in range(size):
            sqlite_club.start()
        costs.append(steps(sqlite_club, partial(sqlite_club.read, reads_sessions.of_player, 1)))
    small, large = costs
    assert large - small < 20 * 100, costs


def test_which_entries_stand_is_asked_of_no_other_sessions_entries(sqlite_club: CardClub) -> None:
    """Of those that moved scores, were a leaving or a conversion, or moved a pot: not one elsewhere."""
    scored = sqlite_club.start(game="german-solo")
    scored.record(table.german_solo("Ann"))
    scored.leave("Cyd")
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    pots = sqlite_club.start(table.FOUR[:3], "progressive", options=options)
    pots.record(table.ALL_PASS)
    pots.void(1)
    reads: tuple[Callable[[], object], ...] = (
        lambda: scored.read(accounts.settlement),
        lambda: scored.preview(undo_leaving.take_back, player="Cyd"),
        lambda: scored.read(entry.last_conversion),
        lambda: pots.preview(correct.restore, 1),
    )
    costs: list[list[int]] = []
    for size in SIZES:
        pay_back_and_forth(sqlite_club, size)
        costs.append([steps(sqlite_club, read) for read in reads])
    for small, large in zip(*costs, strict=True):
        assert abs(large - small) < SIZES[0], costs


def test_a_period_costs_the_same_however_many_evenings_came_before(sqlite_club: CardClub) -> None:
    """Its standings, records, ratings and report read no evening outside of it.

    Only earlier hands with the amount of its best or worst one are passed over, to find the first of those.
    """
    day = date(2020, 1, 1)
    costs: list[list[int]] = []
    for size in (4, 40):
        for hand in (*[table.HEARTS_74] * size, *[table.ALONE_85] * 3):
            day += timedelta(days=1)
            sqlite_club.start(table.SEVEN, started_on=day).record(hand)
        chosen = SessionFilter(day - timedelta(days=2), day)
        queries = (
            *(club_statistics.of_club, records.of_club, ratings.of_club),
            period_summary.of_period,
        )
        reads = [partial(sqlite_club.read, query, chosen) for query in queries]
        costs.append([steps(sqlite_club, read) for read in reads])
    for small, large in zip(*costs, strict=True):
        assert large < 1.2 * small, costs
