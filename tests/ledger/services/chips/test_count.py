"""Chip counts: by denomination, held against the ledger, the difference posted if the table agrees."""

import pytest
from sqlmodel import col, select

from ledger.books import journal
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.kinds.entries import EntryKind
from ledger.database.models import ChipCount
from ledger.keeping import migrate
from ledger.runtime.clock import now
from ledger.services.audit import verify
from ledger.services.chips import count as chips_count
from ledger.services.chips.count import Counts
from ledger.services.chips.payout import holdings
from ledger.services.club import clubs
from ledger.services.common.idempotency import Answer
from ledger.services.common.writing import Write
from ledger.services.hands import tallies
from ledger.services.money import currency
from ledger.services.reads import accounts
from ledger.services.table import lifecycle
from ledger.services.undo import entry as undo_entry
from ledger.services.undo import last
from ledger.words.problems import Invalid, KeyReused, SessionClosed, Stale
from tests.ledger import cash, table
from tests.ledger.table import ask, dry

ALL_RIGHT: Counts = {
    "Ann": {5: 6, 20: 6, 30: 5},  # 300
    "Bob": {20: 5},
    "Cyd": {5: 2, 30: 3},
    "Dee": {5: 20},
}


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def a_hand(db: Database, access: Access) -> int:
    """Play one hand with stacks of 150: Ann holds 300, the three others 100 each."""
    tonight = table.start(db, access, table.FOUR, starting_stack=150)
    table.record(db, access, tonight, cash.ANN_WINS)
    return tonight


def write(
    db: Database, access: Access, session_id: int, counts: Counts, *, post: bool = False
) -> Answer:
    """Write a count down."""
    return chips_count.record(table.write(db, access), session_id, counts, post=post)


def test_chips_are_counted_by_denomination_and_held_against_the_ledger(
    any_database: Database, here: Access
) -> None:
    """All as it should be: no difference, for nobody and in sum; nothing is written by looking."""
    tonight = a_hand(any_database, here)
    before = table.row_counts(any_database)
    found = ask(any_database, here, dry(chips_count.record), tonight, ALL_RIGHT)
    assert [(each.player, each.counted, each.expected) for each in found.players] == [
        ("Ann", 300, 300),
        ("Bob", 100, 100),
        ("Cyd", 100, 100),
        ("Dee", 100, 100),
    ]
    assert found.difference == 0
    assert table.row_counts(any_database) == before


def test_the_difference_is_shown_a_player_and_in_sum(any_database: Database, here: Access) -> None:
    """Ann has 20 too many, Bob 40 too few: 20 are missing. Who was not counted is in neither."""
    tonight = a_hand(any_database, here)
    counts: Counts = {"bob": {20: 3}, "Ann": {20: 16}}
    found = ask(any_database, here, dry(chips_count.record), tonight, counts)
    assert {each.player: each.difference for each in found.players} == {"Ann": 20, "Bob": -40}
    assert found.difference == -20
    answer = write(any_database, here, tonight, counts)
    assert (answer["differences"], answer["difference"]) == ({"Ann": 20, "Bob": -40}, -20)
    assert answer["entry"] is None
    assert table.balances(any_database, here, tonight)["Ann"] == 300


def test_a_difference_the_table_agrees_on_is_posted(any_database: Database, here: Access) -> None:
    """One adjustment; the ledger then says what lies on the table, and a named account the rest."""
    tonight = a_hand(any_database, here)
    answer = write(any_database, here, tonight, {**ALL_RIGHT, "Bob": {20: 3}}, post=True)
    bob = cash.seat(any_database, here, tonight, "Bob")
    made, moved = cash.entry(any_database, here, answer)
    assert (made.kind, made.reason) == ("adjustment", "chips counted")
    assert moved == {f"seat/{bob.id}": -40, f"session/{tonight}/differences": 40}
    again = ask(any_database, here, dry(chips_count.record), tonight, {"Bob": {20: 3}})
    assert again.difference == 0


def test_a_count_that_agrees_posts_nothing(any_database: Database, here: Access) -> None:
    """Though the table would agree to it."""
    tonight = a_hand(any_database, here)
    assert write(any_database, here, tonight, ALL_RIGHT, post=True)["entry"] is None
    assert cash.kinds(any_database, here) == ["stack", "hand", "count"]


def test_a_count_is_kept_as_it_was_made(any_database: Database, here: Access) -> None:
    """Each player's pieces, what the ledger expected then, and the entry it led to."""
    tonight = a_hand(any_database, here)
    answer = write(any_database, here, tonight, {"Bob": {20: 3, 5: 1}}, post=True)
    with any_database.read(here) as session:
        (row,) = session.exec(select(ChipCount).order_by(col(ChipCount.id))).all()
    assert (row.pieces, row.counted, row.expected) == ({"20": 3, "5": 1}, 65, 100)
    assert (row.entry_id, row.author) == (answer["entry"], "Sue")


def test_a_club_counts_its_own_chips(database: Database, club: Access) -> None:
    """Chips of 1, 10 and 25 instead of 5, 20 and 30."""
    currency.change(table.write(database, club), denominations=[25, 1, 10])
    tonight = a_hand(database, club)
    assert ask(database, club, dry(chips_count.record), tonight, {"Bob": {25: 4}}).difference == 0
    with pytest.raises(Invalid, match="no chip worth 5; its chips are 1, 10, 25") as caught:
        ask(database, club, dry(chips_count.record), tonight, {"Bob": {5: 20}})
    assert [fault.field for fault in caught.value.faults] == ["counts.Bob.5"]


@pytest.mark.parametrize(
    ("counts", "faults"),
    [
        ({}, [("counts", "nobody-counted")]),
        ({"Zed": {5: 1}}, [("counts.Zed", "not-at-the-table")]),
        ({"Bob": {5: 1}, "bob": {5: 2}}, [("counts.bob", "not-at-the-table")]),
        ({"Bob": {7: 1}}, [("counts.Bob.7", "no-such-chip")]),
        ({"Bob": {5: -1}}, [("counts.Bob.5", "pieces-out-of-range")]),
        (
            {"Bob": {5: 10_001}, "Zed": {}},
            [("counts.Bob.5", "pieces-out-of-range"), ("counts.Zed", "not-at-the-table")],
        ),
    ],
)
def test_a_count_that_cannot_be_is_refused_at_each_field(
    database: Database, club: Access, counts: Counts, faults: list[tuple[str, str]]
) -> None:
    """Everything wrong at once, and nothing is written."""
    tonight = a_hand(database, club)
    before = table.row_counts(database)
    with pytest.raises(Invalid) as caught:
        write(database, club, tonight, counts)
    assert [(fault.field, fault.code) for fault in caught.value.faults] == faults
    assert table.row_counts(database) == before


def test_a_retried_count_is_posted_once(database: Database, club: Access) -> None:
    """With the same key; another count under it is refused, as is a stale or a closed one."""
    tonight = a_hand(database, club)
    key = table.new_key()
    first = chips_count.record(Write(database, club, key), tonight, {"Bob": {20: 3}}, post=True)
    assert (
        chips_count.record(Write(database, club, key), tonight, {"Bob": {20: 3}}, post=True)
        == first
    )
    assert table.balances(database, club, tonight)["Bob"] == 60
    with pytest.raises(KeyReused):
        chips_count.record(Write(database, club, key), tonight, {"Bob": {20: 4}}, post=True)
    with pytest.raises(Stale):
        chips_count.record(table.write(database, club, 1), tonight, ALL_RIGHT)
    lifecycle.close(table.write(database, club), tonight)
    with pytest.raises(SessionClosed):
        write(database, club, tonight, ALL_RIGHT)


def test_a_count_that_is_only_noted_is_what_undo_takes_back(
    any_database: Database, here: Access
) -> None:
    """Not the hand before it: the count is forgotten, another one of before stays, no balance moves."""
    tonight = a_hand(any_database, here)
    write(any_database, here, tonight, {"Bob": {20: 3}})
    before = table.row_counts(any_database)["chip_count"]
    balances = table.balances(any_database, here, tonight)
    write(any_database, here, tonight, {"Ann": {20: 16}, "Bob": {20: 3}})
    found = ask(any_database, here, dry(last.undo), tonight)
    assert (found.last.what, found.preview.moves) == ("count", ())
    assert last.undo(table.write(any_database, here), tonight)["undone"] == "count"
    assert table.row_counts(any_database)["chip_count"] == before
    assert table.balances(any_database, here, tonight) == balances
    assert list(verify(any_database)) == []


@pytest.mark.parametrize("post", [True, False])
@pytest.mark.parametrize("way", ["undo", "its own way"])
def test_a_count_that_was_taken_back_is_held_by_nobody(
    any_database: Database, here: Access, post: bool, way: str
) -> None:
    """Posted or noted, undone or taken back later: what was counted before it is held again."""
    tonight = a_hand(any_database, here)
    write(any_database, here, tonight, {"Bob": {5: 20}, "Cyd": {30: 3, 5: 2}})
    before, then = table.row_counts(any_database), ask(any_database, here, holdings, tonight)
    assert then["Bob"] == {5: 20}
    write(any_database, here, tonight, {"Bob": {30: 3}, "Cyd": {20: 5}}, post=post)
    made = ask(any_database, here, accounts.entries, tonight)[0][-1]
    if way == "undo":
        last.undo(table.write(any_database, here), tonight)
    else:
        cash.lend(any_database, here, tonight, "Dee", 5)
        key = table.new_key()
        undo_entry.take_back(Write(any_database, here, key), tonight, made.id, reason="miscounted")
    assert table.row_counts(any_database)["chip_count"] == before["chip_count"]
    assert ask(any_database, here, holdings, tonight) | {"Dee": {}} == then | {"Dee": {}}
    assert list(verify(any_database)) == []


def test_books_that_kept_a_count_that_was_taken_back_forget_it(
    database: Database, club: Access
) -> None:
    """They verify as they are; upgraded, they keep the other counts only."""
    tonight = a_hand(database, club)
    write(database, club, tonight, {"Cyd": {20: 5}})
    entry = write(database, club, tonight, {"Bob": {30: 3}}, post=True)["entry"]
    kept = table.row_counts(database)["chip_count"]
    with database.write(club) as session:
        why = "as it was done before"
        undone = journal.reverse(session, entry, author="Sue", at=now(), reason=why)
        tallies.add_other_entry(session, EntryKind.ADJUSTMENT, undone)
    assert table.row_counts(database)["chip_count"] == kept
    assert list(verify(database)) == []
    migrate.downgrade(database, "0009")
    migrate.upgrade(database)
    with database.read(club) as session:
        assert [count.entry_id for count in session.exec(select(ChipCount))] == [None]
