"""Many hands written in one go: the books are as if each had been written by itself.

A correction in an evening of pots is carried out twice and rolled back each time: as it is, and with one
change a call. What both leave in every table is compared, digests too.
"""

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from operator import ne
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, event

from ledger.books.balances import BalanceTooLarge
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import metadata
from ledger.services.audit import verify
from ledger.services.chips import adjust
from ledger.services.common.writing import WriteContext
from ledger.services.hands import correct, posting
from ledger.services.undo import entry, last
from tests.ledger import table

AT = datetime(2026, 3, 1, 20, tzinfo=UTC)
POTS = {"pots": {"stake": 5}}
SAYS = {"reason": "miscounted"}
Rows = dict[str, list[Any]]
Body = Callable[[WriteContext], Any]


class _Undone(Exception):
    """What was written is looked at, and rolled back."""


def played(bidder: str, bid: str, points: int) -> dict[str, Any]:
    """Make a hand of three or four; Dee deals, and sits out where there are four."""
    if bid == "pass":
        return {"dealer": "Dee", "contract": {"bid": "pass"}}
    return {"dealer": "Dee", "contract": {"bidder": bidder, "bid": bid}, "points": points}


HANDS = st.builds(
    played,
    st.sampled_from(("Ann", "Bob", "Cyd")),
    st.sampled_from(("pass", "frog", "spade-solo")),
    st.sampled_from((30, 60, 61, 90)),
)


def left_behind(db: Database, access: Access, change: Body) -> Rows:
    """Carry a change out; return what is then in every table, and roll it back."""
    found: Rows = {}
    with suppress(_Undone), db.write(access) as session:
        change(WriteContext(session, "Sue", None, AT)).carry_out()
        session.flush()
        found = _tables(session.connection())
        raise _Undone
    return found


def _tables(connection: Connection) -> Rows:
    """Read every table, without numbers that a database gives: an entry goes by its place in the chain."""
    read = {
        each.name: connection.execute(each.select()).mappings().all()
        for each in metadata.sorted_tables
    }
    ids = sorted(row["id"] for row in read["journal_entry"])
    chain = {entry_id: place for place, entry_id in enumerate(ids)}
    return {
        name: sorted((_comparable(name, row, chain) for row in rows), key=repr)
        for name, rows in read.items()
    }


def _comparable(of: str, row: Mapping[Any, Any], chain: Mapping[int | None, int]) -> dict[str, Any]:
    said = {key: value for key, value in row.items() if key != "id"}
    if of == "journal_entry":
        said["place"] = chain[row["id"]]
    for key in ("entry_id", "reverses_id"):
        if key in said:
            said[key] = chain.get(said[key])
    return said


def same_either_way(
    db: Database, access: Access, monkeypatch: pytest.MonkeyPatch, change: Body
) -> Rows:
    """Hold a change that is carried out in one go against the same, hand by hand."""
    together = left_behind(db, access, change)
    in_one_go = posting.write
    with monkeypatch.context() as one_by_one:
        one_by_one.setattr(
            posting,
            "write",
            lambda tx, view, changes: [in_one_go(tx, view, [each]) for each in changes],
        )
        alone = left_behind(db, access, change)
    assert together == alone
    return together


def body(write: object, *said: Any, **more: Any) -> Body:
    """Return what a write does inside its transaction, not yet carried out."""
    plain: Any = inspect.unwrap(write)  # type: ignore[arg-type]
    return lambda tx: plain(tx, *said, **more)


@pytest.fixture
def evening(any_database: Database, access: Access) -> int:
    """Seven hands with pots, one of them void, and a bet put into the frog pot after the second."""
    session_id = table.start(any_database, access, table.FOUR, "progressive", options=POTS)
    for bidder, bid, points in (("Ann", "pass", 0), ("Bob", "frog", 30)):
        table.record(any_database, access, session_id, played(bidder, bid, points))
    adjust.adjust(
        table.write(any_database, access),
        session_id,
        player="Ann",
        chips=-7,
        reason="a bet",
        pot="frog",
    )
    for bidder, bid, points in (
        ("Ann", "frog", 70),
        ("Cyd", "spade-solo", 40),
        ("Bob", "frog", 90),
        ("Ann", "pass", 0),
        ("Bob", "spade-solo", 80),
    ):
        table.record(any_database, access, session_id, played(bidder, bid, points))
    table.void(any_database, access, session_id, 4)
    return session_id


CHANGES: Mapping[str, Callable[[int], Body]] = {
    "a correction": lambda of: body(correct.correct, of, 1, played("Cyd", "frog", 61), **SAYS),
    "a correction that turns a bid": lambda of: body(
        correct.correct, of, 2, played("Ann", "spade-solo", 61), **SAYS
    ),
    "a voiding": lambda of: body(correct.void, of, 1, **SAYS),
    "a restoring": lambda of: body(correct.restore, of, 4, **SAYS),
    "an undo": lambda of: body(last.undo, of),
}


@pytest.mark.parametrize("what", CHANGES)
def test_hands_written_in_one_go_leave_what_each_alone_would(
    any_database: Database,
    access: Access,
    evening: int,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    """Entries, postings, versions and every sum are the same rows, sealed by the same digests."""
    before = table.row_counts(any_database)
    after = same_either_way(any_database, access, monkeypatch, CHANGES[what](evening))
    assert len(after["journal_entry"]) > before["journal_entry"] + 2
    assert table.row_counts(any_database) == before


def test_hands_that_follow_an_undone_bet_are_written_in_one_go_as_well(
    any_database: Database, access: Access, evening: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pot's first taker finds less in it: one mechanism for whatever makes hands follow."""
    with any_database.read(access) as session:
        lines, _ = entry.page(session, evening)
    (bet,) = [line.entry.id for line in lines if line.entry.kind == "adjustment"]
    change = body(entry.take_back, evening, bet, reason="no bet")
    same_either_way(any_database, access, monkeypatch, change)
    answer = entry.take_back(table.write(any_database, access), evening, bet, reason="no bet")
    assert len(table.recalculated(answer)) >= 1
    assert list(verify(any_database)) == []


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(hands=st.lists(HANDS, min_size=2, max_size=9), data=st.data())
def test_any_evening_of_pots_is_changed_alike_in_one_go_and_hand_by_hand(
    database: Database,
    club: Access,
    monkeypatch: pytest.MonkeyPatch,
    hands: list[dict[str, Any]],
    data: st.DataObject,
) -> None:
    """Corrected, voided, restored anywhere, again and again: equal rows each time, and the books verify."""
    at = table.start(database, club, table.FOUR, "progressive", options=POTS)
    for hand in hands:
        table.record(database, club, at, hand)
    void: set[int] = set()
    for _ in range(3):
        number = data.draw(st.integers(1, len(hands)))
        write: Any = correct.correct
        said: tuple[Any, ...] = (at, number)
        if number in void:
            write = correct.restore
            void.remove(number)
        elif data.draw(st.booleans()):
            write = correct.void
            void.add(number)
        else:
            was = hands[number - 1]
            hands[number - 1] = data.draw(HANDS.filter(partial(ne, was)))
            said = (*said, hands[number - 1])
        same_either_way(database, club, monkeypatch, body(write, *said, **SAYS))
        write(table.write(database, club), *said, **SAYS)
    assert list(verify(database)) == []


def test_a_balance_is_held_to_its_limit_between_the_hands_of_one_go(
    any_database: Database, access: Access, evening: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one hand takes beyond the limit the next may bring back: it is refused, as hand by hand."""
    monkeypatch.setattr("ledger.books.journal.MOST", 29)
    rows = table.row_counts(any_database)
    with pytest.raises(BalanceTooLarge):
        table.void(any_database, access, evening, 1)
    assert table.row_counts(any_database) == rows


def test_a_change_sends_as_many_statements_whatever_follows(
    database: Database, club: Access
) -> None:
    """Hands that follow add rows to what is sent, and no statement."""
    sent: list[str] = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def keep(_c: Any, _cursor: Any, statement: str, _given: Any, _context: Any, _m: bool) -> None:
        sent.append(statement)

    counted: list[int] = []
    for follow in (3, 30):
        at = table.start(database, club, table.FOUR, "progressive", options=POTS)
        for _ in range(follow + 1):
            table.record(database, club, at, played("Ann", "frog", 40))
        sent.clear()
        answer = table.void(database, club, at, 1)
        counted.append(len(sent))
        assert len(answer["recalculated"]) == follow
    event.remove(database.engine, "before_cursor_execute", keep)
    assert counted[0] == counted[1] > 0
