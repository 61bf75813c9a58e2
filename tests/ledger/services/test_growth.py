"""What a page reads does not grow with the club: no query walks through all of a club's rows.

The benchmark measures it; this looks at how SQLite, which has no statistics to go by, means to search.
"""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event

from ledger.access import Access
from ledger.clock import now
from ledger.db import Database
from ledger.services import (
    accounts,
    counting,
    hands,
    history,
    paying,
    payments,
    players,
    sessions,
    statements,
    stats,
    undo,
)
from tests.ledger import cash, table

Read = Callable[[Database, Access, int], object]

READS: dict[str, Read] = {
    "the board": history.board,
    "a page of hands": lambda db, access, played: history.hands(db, access, played, first=2),
    "the balances": accounts.every,
    "the journal": accounts.entries,
    "who deals next": hands.propose,
    "what was written last": undo.last,
    "recording a hand": lambda db, access, played: table.record(
        db, access, played, table.HEARTS_74
    ),
    "correcting a hand": lambda db, access, played: table.correct(
        db, access, played, 1, table.HEARTS_46
    ),
    "the list of sessions": lambda db, access, _: sessions.every(db, access, limit=20),
    "a player's statistics": lambda db, access, _: stats.of_player(
        db, access, players.everyone(db, access)[0].id
    ),
    "settling up": lambda db, access, _: payments.settle_up(db, access),
    "a statement": lambda db, access, _: statements.of_player(
        db, access, players.everyone(db, access)[0].id
    ),
    "a balance as it was": lambda db, access, played: statements.balance_at(
        db, access, cash.seat(db, access, played, "Ann").account_id, now()
    ),
    "chips in hand": paying.holdings,
    "counting chips": lambda db, access, played: counting.write(
        db, access, table.new_key(), played, {"Ann": {5: 1}}, post=True
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
                assert not step.startswith("SCAN") or step.endswith(("ROW", "(subquery-1)")), step
                walked = "(club_id=?)" in step
                assert not walked or any(name in step for name in LISTED_BY_CLUB), (step, statement)
