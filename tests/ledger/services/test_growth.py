"""What a page reads does not grow with the club: no query walks through all of a club's rows.

The benchmark measures it; this looks at how SQLite, which has no statistics to go by, means to search.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Account, AccountKind, EntryKind, JournalEntry
from ledger.runtime.clock import now
from ledger.services.chips import count as chips_count
from ledger.services.chips import payout
from ledger.services.club import players
from ledger.services.hands import correct, record
from ledger.services.money import payments, statements
from ledger.services.reads import accounts, head_to_head, statistics
from ledger.services.reads import session as reads_session
from ledger.services.reads import sessions as reads_sessions
from ledger.services.table import start
from ledger.services.undo import entry, last
from ledger.services.undo import leaving as undo_leaving
from tests.ledger import cash, table
from tests.ledger.table import ask, asking, dry

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FAR = datetime(2999, 1, 1, tzinfo=UTC)


def statement(db: Database, access: Access, offset: int) -> statements.Statement:
    """Read a page of what moved Ann's money."""
    ann = next(each.id for each in ask(db, access, players.everyone) if each.name == "Ann")
    return ask(db, access, statements.of_player, ann, offset=offset, limit=20)


def balance(db: Database, access: Access, played: int, at: datetime) -> int:
    """Read what Ann had in chips at some time."""
    return ask(
        db, access, statements.balance_at, cash.seat(db, access, played, "Ann").account_id, at
    )


def pay_back_and_forth(db: Database, access: Access, times: int) -> None:
    """Move Ann's money, once a second from now on; written past the services, which take their time."""
    ids = {each.name: each.id for each in ask(db, access, players.everyone)}
    with db.write(access) as session:
        ann, bob = (
            journal.open_account(session, AccountKind.PLAYER, player_id=ids[name], unit="EUR").id
            for name in ("Ann", "Bob")
        )
        for second in range(times):
            at = now() + timedelta(seconds=second)
            header = EntryHeader(None, EntryKind.PAYMENT, "Sue", at, at)
            journal.post(session, header, {ann: 1, bob: -1})


def settle_scores(db: Database, access: Access, _: int) -> accounts.SessionSettlement:
    """Look for payments at a table that plays for scores."""
    played = table.start(db, access, table.FOUR, "german-solo")
    table.record(db, access, played, table.german_solo("Ann"))
    return ask(db, access, accounts.settlement, played)


Read = Callable[[Database, Access, int], object]

READS: dict[str, Read] = {
    "the board": asking(reads_session.board),
    "a page of hands": lambda db, access, played: ask(
        db, access, reads_session.hands, played, first=2
    ),
    "the oldest page of hands": lambda db, access, played: ask(
        db, access, reads_session.hands, played, first=1, last=1
    ),
    "the balances": asking(accounts.books),
    "the journal": asking(accounts.entries),
    "who deals next": asking(record.propose),
    "what was written last": asking(last.look),
    "recording a hand": lambda db, access, played: table.record(
        db, access, played, table.HEARTS_74
    ),
    "correcting a hand": lambda db, access, played: table.correct(
        db, access, played, 1, table.HEARTS_46
    ),
    "the list of sessions": lambda db, access, _: ask(db, access, start.list_all, limit=20),
    "a player's statistics": lambda db, access, _: ask(
        db, access, statistics.of_player, ask(db, access, players.everyone)[0].id
    ),
    "the club's history": lambda db, access, _: ask(db, access, reads_sessions.of_club),
    "a player's evenings": lambda db, access, _: ask(
        db, access, reads_sessions.of_player, ask(db, access, players.everyone)[0].id, offset=0
    ),
    "head to head": lambda db, access, _: ask(db, access, head_to_head.head_to_head),
    "what settles scores": settle_scores,
    "settling up": lambda db, access, _: ask(db, access, payments.settle_up),
    "a statement's first page": lambda db, access, _: statement(db, access, 0),
    "a statement's middle page": lambda db, access, _: statement(db, access, 20),
    "a statement's last page": lambda db, access, _: statement(db, access, 40),
    "a balance before anything": lambda db, access, played: balance(db, access, played, EPOCH),
    "a balance as it was": lambda db, access, played: balance(
        db, access, played, ask(db, access, accounts.entries, played)[0][1].entered_at
    ),
    "a balance now": lambda db, access, played: balance(db, access, played, now()),
    "a page of the journal": lambda db, access, played: ask(
        db, access, accounts.entries, played, offset=2, limit=2
    ),
    "chips in hand": asking(payout.holdings),
    "counting chips": lambda db, access, played: chips_count.record(
        table.write(db, access), played, {"Ann": {5: 1}}, post=True
    ),
    "borrowing": lambda db, access, played: cash.lend(db, access, played, "Ann", 20),
    "leaving": lambda db, access, played: cash.leave(db, access, played, "Ann"),
    "converting": lambda db, access, played: cash.convert(db, access, played, cash.TEN_FOR_ONE),
    "paying": lambda db, access, _: cash.pay(db, access, "Ann", "Bob", 5),
}

LISTED_BY_CLUB = (
    "ix_journal_entry_club_id",
    "ix_play_session",
    "ix_versus",
    "player_1",
    "ix_api",
    "ix_account_till_not_empty",
)
"""Indexes by club that are walked in order, a few rows far, or hold a row a player, or hardly any."""


@pytest.mark.parametrize("what", READS)
def test_no_query_searches_a_whole_club(database: Database, club: Access, what: str) -> None:
    """Each table is entered by its key, or by the session, hand, seat or player that is asked for."""
    played = table.start(database, club)
    for hand in (table.HEARTS_74, table.ALONE_85, table.HEARTS_46):
        table.record(database, club, played, hand)
    pay_back_and_forth(database, club, 45)
    sent: list[tuple[str, Any]] = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def keep(_c: Any, _cursor: Any, statement: str, given: Any, _context: Any, many: bool) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")) and not many:
            sent.append((statement, given))

    READS[what](database, club, played)
    event.remove(database.engine, "before_cursor_execute", keep)
    assert sent
    with database.engine.connect() as connection:
        for statement, given in sent:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)
            for step in [row[3] for row in plan]:
                # What is given as JSON is a virtual table, and no club's.
                whole = step.startswith("SCAN") and " VIRTUAL TABLE " not in step
                assert not whole or step.endswith(("ROW", "(subquery-1)")), step
                walked = "(club_id=?)" in step
                assert not walked or any(name in step for name in LISTED_BY_CLUB), (step, statement)
                if walked and "ix_journal_entry" in step:
                    # In order, to the first row or a page of them.
                    assert " LIMIT " in statement, (step, statement)


def test_an_evenings_money_is_found_without_its_hands(database: Database, club: Access) -> None:
    """By the index of the entries that are no hand's: a long evening costs what a short one does."""
    table.start(database, club)
    sent: list[tuple[str, Any]] = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def keep(_c: Any, _cursor: Any, statement: str, given: Any, _context: Any, many: bool) -> None:
        if "journal_entry" in statement and not many:
            sent.append((statement, given))

    ask(database, club, reads_sessions.of_club)
    event.remove(database.engine, "before_cursor_execute", keep)
    ((statement, given),) = sent
    with database.engine.connect() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)
        assert any("ix_journal_entry_beside_hands" in row[3] for row in plan)


def steps(database: Database, act: Callable[[], object]) -> int:
    """Count the steps of SQLite's machine that an act takes: its work, whatever the clock says."""
    taken = 0

    def step() -> int:
        nonlocal taken
        taken += 1
        return 0

    @event.listens_for(database.engine, "before_cursor_execute")
    def count(_c: Any, cursor: Any, _statement: str, _given: Any, _context: Any, _m: bool) -> None:
        cursor.connection.set_progress_handler(step, 1)

    act()
    event.remove(database.engine, "before_cursor_execute", count)
    database.engine.dispose()  # the connections are counted on no more
    return taken


SIZES = (50, 1000)


def test_a_balance_as_it_was_costs_the_same_however_long_the_books_are(
    database: Database, club: Access
) -> None:
    """Before all, at the first of fifty entries or of a thousand, in the middle, at the last, afterwards."""
    ann = players.add(table.write(database, club), name="Ann")["id"]
    players.add(table.write(database, club), name="Bob")
    costs: list[list[int]] = []
    for size in SIZES:
        pay_back_and_forth(database, club, size)
        with database.read(club) as session:
            account = session.exec(select(Account.id).where(Account.player_id == ann)).one()
            entered = session.exec(
                select(JournalEntry.entered_at).order_by(col(JournalEntry.entered_at))
            ).all()
        instants = (EPOCH, entered[0], entered[len(entered) // 2], entered[-1], FAR)
        costs.append(
            [
                steps(database, partial(ask, database, club, statements.balance_at, account, at))
                for at in instants
            ]
        )
    assert min(costs[0]) > 0
    assert costs[0] == costs[1]


def test_the_oldest_page_of_hands_costs_what_it_does_in_a_short_evening(
    database: Database, club: Access
) -> None:
    """The running totals of the first hands are found without those that came after; the newest, too."""
    costs: list[list[int]] = []
    for size in (30, 240):
        played = table.start(database, club)
        for _ in range(size):
            table.record(database, club, played, table.HEARTS_74)
        parts = ((1, 10), (size - 9, size))
        costs.append(
            [
                steps(
                    database,
                    partial(
                        ask, database, club, reads_session.hands, played, first=first, last=last
                    ),
                )
                for first, last in parts
            ]
        )
    assert min(costs[0]) > 0
    assert costs[0] == costs[1]


def test_a_page_of_a_statement_reads_no_line_that_it_does_not_show(
    database: Database, club: Access
) -> None:
    """First, middle or last: of each other line only its place in an index is counted and skipped."""
    players.add(table.write(database, club), name="Ann")
    players.add(table.write(database, club), name="Bob")
    costs: list[list[int]] = []
    total = 0
    for size in SIZES:
        pay_back_and_forth(database, club, size)
        total += size
        costs.append(
            [
                steps(database, partial(statement, database, club, skip))
                for skip in (0, total // 2, total - 20)
            ]
        )
    for small, large in zip(*costs, strict=True):
        assert large - small < 8 * SIZES[1], (small, large)


def test_evenings_that_a_page_does_not_show_are_only_counted(
    database: Database, club: Access
) -> None:
    """What a player won in all is known without them: of each its place in an index, and if it is listed."""
    costs: list[int] = []
    for size in (30, 100):
        for _ in range(size):
            table.start(database, club, table.FOUR)
        ann = ask(database, club, players.everyone)[0].id
        read = partial(ask, database, club, reads_sessions.of_player, ann)
        costs.append(steps(database, read))
    small, large = costs
    assert large - small < 20 * 100, costs


def test_which_entries_stand_is_asked_of_no_other_sessions_entries(
    database: Database, club: Access
) -> None:
    """Of those that moved scores, were a leaving or a conversion, or moved a pot: not one elsewhere."""
    scored = table.start(database, club, table.FOUR, "german-solo")
    table.record(database, club, scored, table.german_solo("Ann"))
    cash.leave(database, club, scored, "Cyd")
    options = {"pots": {"stake": 5, "solo_factor": 1}}
    pots = table.start(database, club, table.FOUR[:3], "progressive", options=options)
    table.record(database, club, pots, table.ALL_PASS)
    table.void(database, club, pots, 1)
    players.add(table.write(database, club), name="Eve")
    reads: tuple[Callable[[], object], ...] = (
        lambda: ask(database, club, accounts.settlement, scored),
        lambda: ask(database, club, dry(undo_leaving.take_back), scored, player="Cyd"),
        lambda: ask(database, club, entry.last_conversion, scored),
        lambda: ask(database, club, dry(correct.restore), pots, 1),
    )
    costs: list[list[int]] = []
    for size in SIZES:
        pay_back_and_forth(database, club, size)
        costs.append([steps(database, read) for read in reads])
    for small, large in zip(*costs, strict=True):
        assert abs(large - small) < SIZES[0], costs
