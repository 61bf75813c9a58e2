"""Chip counts: by denomination, compared with the ledger, the difference posted if the table agrees."""

import pytest
from sqlmodel import select

from ledger.books import journal
from ledger.database.kinds.entries import EntryKind
from ledger.database.models import ChipCount
from ledger.keeping import migrate
from ledger.runtime.clock import now
from ledger.services.chips import count as chips_count
from ledger.services.chips.count import Counts
from ledger.services.chips.payout import holdings
from ledger.services.hands import posting
from ledger.services.money import currency
from ledger.services.reads import accounts
from ledger.services.undo import last
from ledger.words.problems import Invalid, KeyReused, SessionClosed, Stale
from tests.ledger import cash
from tests.ledger.evenings import CardClub, Evening

# What all hold: Ann 300, the others 100 each.
COUNTED: Counts = {
    "Ann": {5: 6, 20: 6, 30: 5},
    "Bob": {20: 5},
    "Cyd": {5: 2, 30: 3},
    "Dee": {5: 20},
}


def one_hand(club: CardClub) -> Evening:
    """Play one hand with stacks of 150: Ann has 300 chips, the three others 100 each."""
    evening = club.start(starting_stack=150)
    evening.record(cash.ANN_WINS)
    return evening


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """An evening of one hand."""
    return one_hand(sqlite_club)


def test_chips_are_counted_by_denomination_and_compared_with_the_ledger(any_club: CardClub) -> None:
    """Without a difference, nothing is posted, though the table would agree; a preview writes nothing."""
    evening = one_hand(any_club)
    before = any_club.rows
    preview = evening.preview(chips_count.record, COUNTED)
    assert [(line.player, line.counted, line.expected) for line in preview.players] == [
        ("Ann", 300, 300),
        ("Bob", 100, 100),
        ("Cyd", 100, 100),
        ("Dee", 100, 100),
    ]
    assert preview.difference == 0
    assert any_club.rows == before
    assert evening.count(COUNTED, post=True)["entry"] is None
    assert any_club.kinds == ["stack", "hand", "count"]


def test_the_difference_is_shown_for_each_player_and_in_total(sqlite_club: CardClub) -> None:
    """Ann has 20 too many, Bob 40 too few: 20 are missing. Who was not counted is in neither."""
    evening = one_hand(sqlite_club)
    counts: Counts = {"bob": {20: 3, 5: 0}, "Ann": {20: 16}}
    preview = evening.preview(chips_count.record, counts)
    assert {line.player: line.difference for line in preview.players} == {"Ann": 20, "Bob": -40}
    assert preview.difference == -20
    answer = evening.do(chips_count.record, counts)
    assert (answer["differences"], answer["difference"]) == ({"Ann": 20, "Bob": -40}, -20)
    assert (answer["entry"], answer["revision"]) == (None, evening.view.revision) == (None, 3)
    assert evening.balances["Ann"] == 300


def test_a_difference_the_table_agrees_on_is_posted(sqlite_club: CardClub) -> None:
    """One adjustment; the count keeps its pieces, what was expected, and that entry."""
    evening = one_hand(sqlite_club)
    answer = evening.count({**COUNTED, "Bob": {20: 3, 5: 1}}, post=True)
    entry, moved = evening.entry(answer)
    assert (entry.kind, entry.reason) == ("adjustment", "chips counted")
    assert moved == {"Bob": -35, "differences": 35}
    assert evening.preview(chips_count.record, {"Bob": {20: 3, 5: 1}}).difference == 0
    with sqlite_club.db.read(sqlite_club.access) as session:
        count = session.exec(select(ChipCount).where(ChipCount.counted == 65)).one()
    assert (count.pieces, count.expected) == ({"20": 3, "5": 1}, 100)
    assert (count.entry_id, count.author) == (answer["entry"], "Sue")


def test_a_club_counts_its_own_chips(sqlite_club: CardClub) -> None:
    """Chips of 1, 10 and 25 instead of 5, 20 and 30."""
    sqlite_club.do(currency.change, denominations=[25, 1, 10])
    evening = one_hand(sqlite_club)
    assert evening.preview(chips_count.record, {"Bob": {1: 10_000}}).difference == 9_900
    chips = "no chip worth 5; its chips are 1, 10, 25"
    with sqlite_club.refuses(Invalid, chips, at="counts.Bob.5"):
        evening.preview(chips_count.record, {"Bob": {5: 20}})


@pytest.mark.parametrize(
    ("counts", "faults"),
    [
        ({}, [("counts", "nobody-counted")]),
        ({"Zed": {5: 1}}, [("counts.Zed", "Zed has no seat here now.")]),
        ({"Bob": {5: 1}, "bob": {5: 2}}, [("counts.bob", "bob was counted twice.")]),
        ({"Bob": {7: 1}}, [("counts.Bob.7", "no-such-chip")]),
        ({"Bob": {5: -1}}, [("counts.Bob.5", "pieces-out-of-range")]),
        (
            {"Zed": {}, "Bob": {5: 10_001}},
            [("counts.Zed", "not-at-the-table"), ("counts.Bob.5", "pieces-out-of-range")],
        ),
    ],
)
def test_an_invalid_count_is_refused_at_each_field(
    evening: Evening, counts: Counts, faults: list[tuple[str, str]]
) -> None:
    """Everything wrong at once, and nothing is written."""
    with evening.club.refuses(Invalid) as caught:
        evening.count(counts)
    found = caught.value.faults
    assert [fault.field for fault in found] == [field for field, _ in faults]
    assert all(
        text in (fault.code, fault.message) for fault, (_, text) in zip(found, faults, strict=True)
    )


def test_a_retried_count_is_posted_once(evening: Evening) -> None:
    """With the same key; another count under it is refused, as is a stale or a closed one."""
    write = evening.club.write()
    answer = chips_count.record(write, evening.id, {"Bob": {20: 3}}, post=True)
    assert chips_count.record(write, evening.id, {"Bob": {20: 3}}, post=True) == answer
    assert evening.balances["Bob"] == 60
    with evening.club.refuses(KeyReused):
        chips_count.record(write, evening.id, {"Bob": {20: 4}}, post=True)
    with evening.club.refuses(Stale):
        chips_count.record(evening.club.write(1), evening.id, COUNTED)
    evening.close()
    with evening.club.refuses(SessionClosed):
        evening.count(COUNTED)


@pytest.mark.parametrize("post", [True, False])
@pytest.mark.parametrize("way", ["undo", "its own way"])
def test_a_count_that_was_taken_back_is_forgotten(any_club: CardClub, post: bool, way: str) -> None:
    """Posted or noted, undone or taken back later: what was counted before it holds again."""
    evening = one_hand(any_club)
    evening.count({"Bob": {5: 20}, "Cyd": {30: 3, 5: 2}})
    counts, stock, balances = any_club.rows["chip_count"], evening.read(holdings), evening.balances
    assert stock["Bob"] == {5: 20}
    evening.count({"Bob": {30: 3}, "Cyd": {20: 5}}, post=post)
    entry = evening.read(accounts.entries)[0][-1]
    if way == "undo":
        if not post:
            preview = evening.preview(last.undo)
            assert (preview.last.what, preview.preview.moves) == ("count", ())
        assert evening.undo()["undone"] == ("adjustment" if post else "count")
        assert evening.balances == balances
    else:
        evening.lend("Dee", 5)
        evening.take_back(entry.id)
    assert any_club.rows["chip_count"] == counts
    assert evening.read(holdings) | {"Dee": {}} == stock | {"Dee": {}}
    any_club.must_verify()


def test_an_upgrade_forgets_counts_that_an_earlier_release_kept(evening: Evening) -> None:
    """Databases with a count that was taken back verify as they are; upgraded, they keep the others only."""
    club = evening.club
    evening.count({"Cyd": {20: 5}})
    entry = evening.count({"Bob": {30: 3}}, post=True)["entry"]
    counts = club.rows["chip_count"]
    with club.db.write(club.access) as session:
        reason = "as earlier releases did"
        reversal = journal.reverse(session, entry, author="Sue", at=now(), reason=reason)
        posting.add_other_entry(session, EntryKind.ADJUSTMENT, reversal)
    assert club.rows["chip_count"] == counts
    club.must_verify()
    migrate.downgrade(club.db, "0009")
    migrate.upgrade(club.db)
    with club.db.read(club.access) as session:
        assert [count.entry_id for count in session.exec(select(ChipCount))] == [None]
