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
from sqlalchemy import Connection

from ledger.books.balances import BalanceTooLarge
from ledger.database.models import metadata
from ledger.services.common.writing import WriteContext
from ledger.services.hands import correct, posting
from ledger.services.undo import entry, last
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening, sent_by
from tests.ledger.services.scenarios import newest

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


def left_behind(club: CardClub, change: Body) -> Rows:
    """Carry a change out; return what is then in every table, and roll it back."""
    tables: Rows = {}
    with suppress(_Undone), club.db.write(club.access) as session:
        change(WriteContext(session, "Sue", None, AT)).carry_out()
        session.flush()
        tables = _tables(session.connection())
        raise _Undone
    return tables


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


def same_either_way(club: CardClub, monkeypatch: pytest.MonkeyPatch, change: Body) -> Rows:
    """Compare a change that is carried out in one go with the same, hand by hand."""
    together = left_behind(club, change)
    in_one_go = posting.write

    def one_by_one(tx: WriteContext, view: Any, changes: Any) -> list[Any]:
        return [in_one_go(tx, view, [each]) for each in changes]

    with monkeypatch.context() as apart:
        apart.setattr(posting, "write", one_by_one)
        assert left_behind(club, change) == together
    return together


def body(write: object, *said: Any, **more: Any) -> Body:
    """Return what a write does inside its transaction, not yet carried out."""
    plain: Any = inspect.unwrap(write)  # type: ignore[arg-type]
    return lambda tx: plain(tx, *said, **more)


@pytest.fixture
def evening(any_club: CardClub) -> Evening:
    """Seven hands with pots, one of them void, and a bet put into the frog pot after the second."""
    started = any_club.start(game="progressive", options=POTS)
    for bidder, bid, points in (("Ann", "pass", 0), ("Bob", "frog", 30)):
        started.record(played(bidder, bid, points))
    started.adjust("Ann", -7, pot="frog")
    for bidder, bid, points in (
        ("Ann", "frog", 70),
        ("Cyd", "spade-solo", 40),
        ("Bob", "frog", 90),
        ("Ann", "pass", 0),
        ("Bob", "spade-solo", 80),
    ):
        started.record(played(bidder, bid, points))
    started.void(4)
    return started


CHANGES: Mapping[str, Callable[[int], Body]] = {
    "a correction": lambda of: body(correct.correct, of, 1, played("Cyd", "frog", 61), **SAYS),
    "a correction that turns a bid": lambda of: body(
        correct.correct, of, 2, played("Ann", "spade-solo", 61), **SAYS
    ),
    "a voiding": lambda of: body(correct.void, of, 1, **SAYS),
    "a restoring": lambda of: body(correct.restore, of, 4, **SAYS),
    "an undo": lambda of: body(last.undo, of),
}


@pytest.mark.parametrize("change", CHANGES)
def test_hands_written_in_one_go_leave_what_each_alone_would(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """Entries, postings, versions and every sum are the same rows, sealed by the same digests."""
    before = evening.club.rows
    after = same_either_way(evening.club, monkeypatch, CHANGES[change](evening.id))
    assert len(after["journal_entry"]) > before["journal_entry"] + 2
    assert evening.club.rows == before


def test_hands_that_follow_an_undone_bet_are_written_in_one_go_as_well(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pot's first taker finds less in it: one mechanism for whatever makes hands follow."""
    bet = newest(evening, "adjustment")
    change = body(entry.take_back, evening.id, bet, reason="no bet")
    same_either_way(evening.club, monkeypatch, change)
    assert len(table.recalculated(evening.take_back(bet))) >= 1
    evening.must_balance()


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(hands=st.lists(HANDS, min_size=2, max_size=9), data=st.data())
def test_any_evening_of_pots_is_changed_alike_in_one_go_and_hand_by_hand(
    sqlite_club: CardClub,
    monkeypatch: pytest.MonkeyPatch,
    hands: list[dict[str, Any]],
    data: st.DataObject,
) -> None:
    """Corrected, voided, restored anywhere, again and again: equal rows each time, and all verifies."""
    evening = sqlite_club.start(game="progressive", options=POTS)
    for hand in hands:
        evening.record(hand)
    void: set[int] = set()
    for _ in range(3):
        number = data.draw(st.integers(1, len(hands)))
        write: Any = correct.correct
        arguments: tuple[Any, ...] = (number,)
        if number in void:
            write = correct.restore
            void.remove(number)
        elif data.draw(st.booleans()):
            write = correct.void
            void.add(number)
        else:
            before = hands[number - 1]
            hands[number - 1] = data.draw(HANDS.filter(partial(ne, before)))
            arguments = (number, hands[number - 1])
        same_either_way(sqlite_club, monkeypatch, body(write, evening.id, *arguments, **SAYS))
        evening.do(write, *arguments, **SAYS)
    sqlite_club.must_verify()


def test_a_balance_is_held_to_its_limit_between_the_hands_of_one_go(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one hand takes beyond the limit the next may bring back: it is refused, as hand by hand."""
    monkeypatch.setattr("ledger.books.journal.MOST", 29)
    with evening.club.refuses(BalanceTooLarge):
        evening.void(1)


def test_a_change_sends_as_many_statements_whatever_follows(sqlite_club: CardClub) -> None:
    """Hands that follow add rows to what is sent, and no statement."""
    counts: list[int] = []
    for follow in (3, 30):
        evening = sqlite_club.start(game="progressive", options=POTS)
        for _ in range(follow + 1):
            evening.record(played("Ann", "frog", 40))
        with sent_by(sqlite_club, many=True) as sent:
            answer = evening.void(1)
        counts.append(len(sent))
        assert len(answer["recalculated"]) == follow
    assert counts[0] == counts[1] > 0
