"""Progressive's pots: each hand is played for what is in them, and follows when an earlier one changes.

Four at the table, a stake of 5 to each pot: the first hand of a pot brings 20. Dee deals, so Dee sits out.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.chips import adjust
from ledger.services.hands import correct, record, versions
from ledger.services.hands.pots import PotsSpent, PotTooFull
from ledger.services.hands.preview import Move, Recalculated
from ledger.services.hands.recalculate import CannotStand
from ledger.services.reads import accounts, session
from ledger.services.undo import entry, last
from ledger.words.problems import Conflict, Invalid
from tests.ledger import table
from tests.ledger.table import ask, asking, dry

POTS = {"pots": {"stake": 5}}
ALL_PASS: Mapping[str, Any] = {"dealer": "Dee", "contract": {"bid": "pass"}}


def bid(bidder: str, contract: str, points: int = 60) -> dict[str, Any]:
    """Make a hand: 60 points win it and its pot, and nobody pays anything else."""
    return {"dealer": "Dee", "contract": {"bidder": bidder, "bid": contract}, "points": points}


EVENING = (ALL_PASS, bid("Ann", "frog"), bid("Bob", "spade-solo"))
"""All pass; Ann takes the frog pot of 40; Bob takes the solo pot of 60. Antes: 30 each."""

AFTER = {"Ann": 10, "Bob": 30, "Cyd": -30, "Dee": -30}
WITHOUT_THE_FIRST = {"Ann": 0, "Bob": 20, "Cyd": -20, "Dee": -20}


@pytest.fixture
def evening(any_database: Database, access: Access) -> int:
    """The three hands of ``EVENING``, written down."""
    session_id = table.start(any_database, access, table.FOUR, "progressive", options=POTS)
    for hand in EVENING:
        table.record(any_database, access, session_id, hand)
    return session_id


def pots(db: Database, access: Access, session_id: int) -> dict[str, int]:
    """Return what the pots hold."""
    found = ask(db, access, accounts.books, session_id).accounts
    return {str(each.name): each.balance for each in found if each.kind == "pot"}


def before(db: Database, access: Access, session_id: int, number: int) -> object:
    """Return what a hand says the pots held before it."""
    return ask(db, access, versions.of_hand, session_id, number)[-1].record["pots"]


def in_order(db: Database) -> bool:
    """Whether verifying finds nothing."""
    return list(verify(db)) == []


def test_a_hand_is_played_for_what_the_pots_hold(
    any_database: Database, access: Access, evening: int
) -> None:
    """Antes and winnings are postings of the hand's entry; the record says what was there before."""
    assert table.balances(any_database, access, evening) == AFTER
    assert pots(any_database, access, evening) == {"frog": 20, "solo": 0}
    assert [before(any_database, access, evening, number) for number in (1, 2, 3)] == [
        {"frog": 0, "solo": 0},
        {"frog": 20, "solo": 20},
        {"frog": 0, "solo": 40},
    ]
    assert in_order(any_database)


def test_a_hand_cannot_say_otherwise_what_the_pots_hold(
    any_database: Database, access: Access, evening: int
) -> None:
    """The ledger knows; a record that repeats it is as good."""
    with pytest.raises(Invalid) as caught:
        table.record(any_database, access, evening, {**ALL_PASS, "pots": {"frog": 0, "solo": 0}})
    assert caught.value.faults[0].field == "pots"
    table.record(any_database, access, evening, {**ALL_PASS, "pots": {"frog": 20, "solo": 0}})


def test_a_void_shows_and_moves_every_hand_that_took_less_from_a_pot(
    any_database: Database, access: Access, evening: int
) -> None:
    """Without the antes of hand 1, Ann finds 20 less in the frog pot and Bob 20 less in the solo pot."""
    seen = ask(any_database, access, dry(correct.void), evening, 1)
    assert dict(seen.balances) == WITHOUT_THE_FIRST
    assert seen.recalculated == (
        Recalculated(2, {"frog": 0, "solo": 0}, {"Ann": -20}),
        Recalculated(3, {"frog": 0, "solo": 20}, {"Bob": -20}),
    )
    assert seen.moves == (
        Move("seat", "Ann", -10, 0),
        Move("seat", "Bob", -10, 20),
        Move("seat", "Cyd", 10, -20),
        Move("seat", "Dee", 10, -20),
    )
    assert table.balances(any_database, access, evening) == AFTER
    answer = table.void(any_database, access, evening, 1)
    assert answer["balances"] == WITHOUT_THE_FIRST == table.balances(any_database, access, evening)
    assert table.recalculated(answer) == [2, 3]
    followed = ask(any_database, access, versions.of_hand, evening, 3)
    assert (followed[-1].action, followed[-1].reason) == (
        "followed",
        "hand 1 voided: misdeal",
    )
    assert in_order(any_database)


def test_a_restored_hand_brings_the_pots_back(
    any_database: Database, access: Access, evening: int
) -> None:
    """Every balance, every pot and what each hand was played for are as they were."""
    table.void(any_database, access, evening, 1)
    seen = ask(any_database, access, dry(correct.restore), evening, 1)
    answer = correct.restore(
        table.write(any_database, access), evening, 1, reason="it was one after all"
    )
    assert answer["balances"] == AFTER == dict(seen.balances)
    assert answer["verdict"]["outcome"] == "passed-out"
    assert pots(any_database, access, evening) == {"frog": 20, "solo": 0}
    assert before(any_database, access, evening, 3) == {"frog": 0, "solo": 40}
    assert in_order(any_database)


def test_a_correction_stops_where_the_pots_are_the_same_again(
    any_database: Database, access: Access, evening: int
) -> None:
    """Cyd won a frog in hand 1, and took its pot: Ann's is smaller, Bob's was never touched."""
    seen = ask(any_database, access, dry(correct.correct), evening, 1, bid("Cyd", "frog"))
    answer = table.correct(any_database, access, evening, 1, bid("Cyd", "frog"))
    assert table.recalculated(answer) == [2] == [each.number for each in seen.recalculated]
    assert answer["balances"] == {"Ann": -10, "Bob": 30, "Cyd": -10, "Dee": -30}
    assert answer["balances"] == dict(seen.balances)
    assert in_order(any_database)


def test_a_hand_void_while_others_changed_returns_to_the_pots_of_its_place(
    any_database: Database, access: Access, evening: int
) -> None:
    """Hand 2 is void while hand 1 becomes Cyd's frog: restored, it is played for what Cyd left."""
    table.void(any_database, access, evening, 2)
    table.correct(any_database, access, evening, 1, bid("Cyd", "frog"))
    correct.restore(table.write(any_database, access), evening, 2, reason="no misdeal")
    assert before(any_database, access, evening, 2) == {"frog": 0, "solo": 20}
    assert table.balances(any_database, access, evening) == {
        "Ann": -10, "Bob": 30, "Cyd": -10, "Dee": -30,
    }  # fmt: skip
    assert in_order(any_database)


def test_pots_shared_out_since_are_not_shared_out_twice(
    any_database: Database, access: Access, evening: int
) -> None:
    """A change that would leave a pot owing is refused in words; one that leaves it more is not."""
    adjust.share_pots(table.write(any_database, access), evening)
    assert pots(any_database, access, evening) == {"frog": 0, "solo": 0}
    rows = table.row_counts(any_database)
    for look in (asking(dry(correct.void)), table.void):
        with pytest.raises(PotsSpent, match="The frog pot was shared out"):
            look(any_database, access, evening, 3)
    assert table.row_counts(any_database) == rows
    table.record(any_database, access, evening, bid("Cyd", "frog"))
    table.correct(any_database, access, evening, 2, bid("Ann", "frog", 50))
    assert before(any_database, access, evening, 4) == {"frog": 40, "solo": 0}
    assert in_order(any_database)


def test_undoing_the_last_hand_gives_the_pots_back(
    any_database: Database, access: Access, evening: int
) -> None:
    """And undoing a void that others followed lets them follow back."""
    last.undo(table.write(any_database, access), evening)
    assert pots(any_database, access, evening) == {"frog": 0, "solo": 40}
    last.redo(table.write(any_database, access), evening)
    assert table.balances(any_database, access, evening) == AFTER
    table.void(any_database, access, evening, 1)
    last.undo(table.write(any_database, access), evening)
    assert table.balances(any_database, access, evening) == AFTER
    assert in_order(any_database)


def test_a_preview_of_the_next_hand_says_what_the_pots_will_hold(
    any_database: Database, access: Access, evening: int
) -> None:
    """Pots are among the balances it moves."""
    seen = ask(any_database, access, dry(record.record), evening, ALL_PASS)
    assert seen.moves[-2:] == (Move("pot", "frog", 20, 40), Move("pot", "solo", 20, 20))


def test_a_restored_hand_finds_the_pots_as_they_were_before_they_were_shared_out(
    any_database: Database, access: Access, evening: int
) -> None:
    """What was shared out later was still there when the hand was played."""
    table.correct(any_database, access, evening, 2, bid("Ann", "frog", 50))
    table.void(any_database, access, evening, 2)
    adjust.share_pots(table.write(any_database, access), evening)
    correct.restore(table.write(any_database, access), evening, 2, reason="no misdeal")
    assert before(any_database, access, evening, 2) == {"frog": 20, "solo": 20}
    assert before(any_database, access, evening, 3) == {"frog": 40, "solo": 40}
    assert pots(any_database, access, evening) == {"frog": 20, "solo": 0}
    assert in_order(any_database)


def test_a_hand_that_followed_says_so_where_somebody_got_something_else_by_it(
    any_database: Database, access: Access, evening: int
) -> None:
    """Ann's frog found 20 less in its pot. Bob lost his solo: its pot stays, whatever it holds."""
    table.record(any_database, access, evening, bid("Bob", "spade-solo", 50))
    correct.correct(
        table.write(any_database, access),
        evening,
        1,
        bid("Cyd", "spade-solo"),
        reason="miscounted",
    )
    one, two, three, four = ask(any_database, access, session.summary, evening).hands
    assert (one.action, one.follows, one.reason) == ("corrected", None, "miscounted")
    assert (two.action, two.follows, two.is_changed, two.previous) == ("recorded", None, False, ())
    assert (three.action, three.follows) == ("followed", 1)
    assert three.reason == "hand 1 corrected: miscounted"
    assert [old.action for old in three.previous] == ["recorded"]
    assert three.previous[0].deltas != three.deltas
    assert (four.is_changed, four.previous, four.reason) == (False, (), None)
    assert ask(any_database, access, versions.of_hand, evening, 2)[-1].version == 2
    assert in_order(any_database)


MOST = 1_000_000_000


def put_in(db: Database, access: Access, session_id: int, chips: int) -> int:
    """Let Ann put chips into the frog pot; return the entry."""
    answer = adjust.adjust(
        table.write(db, access),
        session_id,
        player="Ann",
        chips=-chips,
        reason="a bet",
        pot="frog",
    )
    return int(answer["entry"])


def refused_alike(
    db: Database, problem: type[Conflict], look: Callable[[], object], deed: Callable[[], object]
) -> str:
    """Look at a change and do it: both are refused in the same words, and nothing is written; say how."""
    rows = table.row_counts(db)
    said = set()
    for act in (look, deed):
        with pytest.raises(problem) as caught:
            act()
        said.add(caught.value.message)
    assert table.row_counts(db) == rows
    (sentence,) = said
    return sentence


def test_an_adjustment_fills_a_pot_no_further_than_a_hand_can_be_played_for(
    any_database: Database, access: Access, evening: int
) -> None:
    """20 are in it: a billion more is refused at the chips, as much as goes in is taken."""
    with pytest.raises(Invalid) as caught:
        put_in(any_database, access, evening, MOST)
    assert [(fault.field, fault.code) for fault in caught.value.faults] == [
        ("chips", "pot-too-full")
    ]
    assert caught.value.message == (
        "The frog pot holds 20 chips, and the limit is 1,000,000,000; "
        "1,000,000,000 more can't be put into it."
    )
    put_in(any_database, access, evening, MOST - 20)
    assert pots(any_database, access, evening)["frog"] == MOST


def test_a_hand_that_would_overfill_a_pot_is_told_to_share_it_out(
    any_database: Database, access: Access, evening: int
) -> None:
    """The antes don't go in any more; once the pot is shared out the evening goes on."""
    put_in(any_database, access, evening, MOST - 20)
    with pytest.raises(
        Invalid, match=r"The frog pot can't hold more.*share it out first"
    ) as caught:
        table.record(any_database, access, evening, ALL_PASS)
    assert [fault.code for fault in caught.value.faults] == ["pot-too-full"]
    adjust.share_pots(table.write(any_database, access), evening)
    table.record(any_database, access, evening, ALL_PASS)
    assert in_order(any_database)


def test_a_pot_that_a_change_would_overfill_is_named(
    any_database: Database, access: Access, evening: int
) -> None:
    """Void, Ann's frog leaves 20 more in a pot that is full: sharing it out is a way on."""
    put_in(any_database, access, evening, MOST - 20)
    lost = bid("Ann", "frog", 50)
    assert refused_alike(
        any_database,
        PotTooFull,
        lambda: ask(any_database, access, dry(correct.void), evening, 2),
        lambda: table.void(any_database, access, evening, 2),
    ).startswith("The frog pot would then hold 1,000,000,020 chips, and the limit is 1,000,000,000")
    assert refused_alike(
        any_database,
        PotTooFull,
        lambda: ask(any_database, access, dry(correct.correct), evening, 2, lost),
        lambda: table.correct(any_database, access, evening, 2, lost),
    ).startswith("The frog pot would then hold 1,000,000,040 chips")
    adjust.share_pots(table.write(any_database, access), evening)
    table.void(any_database, access, evening, 2)
    assert in_order(any_database)


def test_a_hand_played_for_a_full_pot_cannot_follow_into_a_fuller_one(
    any_database: Database, access: Access, evening: int
) -> None:
    """Its antes would not go in; it is named, and once the bet is taken back the change goes through."""
    bet = put_in(any_database, access, evening, MOST - 50)
    table.record(any_database, access, evening, ALL_PASS)
    assert refused_alike(
        any_database,
        CannotStand,
        lambda: ask(any_database, access, dry(correct.void), evening, 2),
        lambda: table.void(any_database, access, evening, 2),
    ).startswith("This would make hand 4 invalid: The frog pot can't hold more")
    entry.take_back(table.write(any_database, access), evening, bet, reason="too much")
    table.void(any_database, access, evening, 2)
    assert in_order(any_database)


def test_a_void_hand_comes_back_only_where_its_pots_have_room(
    any_database: Database, access: Access, evening: int
) -> None:
    """Hand 4 filled the pot to the brim; with hand 2 void there is no room for its antes."""
    put_in(any_database, access, evening, MOST - 40)
    table.record(any_database, access, evening, ALL_PASS)
    table.void(any_database, access, evening, 4)
    table.void(any_database, access, evening, 2)
    assert refused_alike(
        any_database,
        CannotStand,
        lambda: ask(any_database, access, dry(correct.restore), evening, 4),
        lambda: correct.restore(table.write(any_database, access), evening, 4, reason="no"),
    ).startswith("This would make hand 4 invalid: The frog pot can't hold more")
    assert in_order(any_database)
