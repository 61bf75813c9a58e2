"""Progressive's pots: what a hand may state of them, and how hands that follow are shown.

Four at the table, a stake of 5 to each pot: the first hand of a pot brings 20. Dee deals, so Dee sits out.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.services.hands import correct, record, versions
from ledger.services.hands.preview import Move, Recalculated
from ledger.services.reads import accounts as reads_accounts
from ledger.services.reads import session
from ledger.words.problems import Invalid
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening

ALL_PASS: Mapping[str, Any] = {"dealer": "Dee", "contract": {"bid": "pass"}}


def bid(bidder: str, contract: str, points: int = 60) -> dict[str, Any]:
    """Make a hand: 60 points win it and its pot, and nobody pays anything else."""
    return {"dealer": "Dee", "contract": {"bidder": bidder, "bid": contract}, "points": points}


@pytest.fixture
def evening(any_club: CardClub) -> Evening:
    """All pass; Ann takes the frog pot of 40; Bob takes the solo pot of 60. Antes: 30 each."""
    started = any_club.start(game="progressive", options={"pots": {"stake": 5}})
    for hand in (ALL_PASS, bid("Ann", "frog"), bid("Bob", "spade-solo")):
        started.record(hand)
    return started


def test_a_hand_may_state_what_the_pots_hold_and_nothing_else(evening: Evening) -> None:
    """The ledger knows; a preview of the hand shows what they will hold."""
    with evening.club.refuses(Invalid, at="pots"):
        evening.record({**ALL_PASS, "pots": {"frog": 0, "solo": 0}})
    preview = evening.preview(record.record, ALL_PASS)
    assert preview.moves[-2:] == (Move("pot", "frog", 20, 40), Move("pot", "solo", 20, 20))
    evening.record({**ALL_PASS, "pots": {"frog": 20, "solo": 0}})


def test_a_void_shows_and_moves_every_hand_that_took_less_from_a_pot(evening: Evening) -> None:
    """Without the antes of hand 1, Ann finds 20 less in the frog pot and Bob 20 less in the solo pot."""
    without_the_first = {"Ann": 0, "Bob": 20, "Cyd": -20, "Dee": -20}
    preview = evening.preview(correct.void, 1)
    assert dict(preview.balances) == without_the_first
    assert preview.recalculated == (
        Recalculated(2, {"frog": 0, "solo": 0}, {"Ann": -20}),
        Recalculated(3, {"frog": 0, "solo": 20}, {"Bob": -20}),
    )
    assert preview.moves == (
        Move("seat", "Ann", -10, 0),
        Move("seat", "Bob", -10, 20),
        Move("seat", "Cyd", 10, -20),
        Move("seat", "Dee", 10, -20),
    )
    assert evening.balances == {"Ann": 10, "Bob": 30, "Cyd": -30, "Dee": -30}
    answer = evening.void(1)
    assert answer["balances"] == without_the_first == evening.balances
    assert table.recalculated(answer) == [2, 3]
    version = evening.read(versions.of_hand, 3)[-1]
    assert (version.action, version.reason) == ("followed", "hand 1 voided: misdeal")
    evening.must_balance()


def test_a_correction_stops_where_the_pots_are_the_same_again(evening: Evening) -> None:
    """Cyd won a frog in hand 1, and took its pot: Ann's is smaller, Bob's was never touched."""
    preview = evening.preview(correct.correct, 1, bid("Cyd", "frog"))
    answer = evening.correct(1, bid("Cyd", "frog"))
    assert table.recalculated(answer) == [2] == [hand.number for hand in preview.recalculated]
    assert answer["balances"] == {"Ann": -10, "Bob": 30, "Cyd": -10, "Dee": -30}
    assert answer["balances"] == dict(preview.balances)
    evening.must_balance()


def test_a_misdeal_that_is_corrected_keeps_the_pots_that_it_was_recorded_with(
    evening: Evening,
) -> None:
    """Whatever a pot pays between the misdeal and its correction is paid after the hand."""
    evening.record({"dealer": "Dee", "irregular": [{"what": "misdeal", "settled": "void"}]})
    evening.adjust("Ann", 12, "frog")
    evening.correct(4, ALL_PASS)
    chips = evening.balances
    evening.void(4)
    evening.restore(4)
    assert evening.read(versions.of_hand, 4)[-1].record["pots"] == {"frog": 20, "solo": 0}
    assert evening.balances == chips
    evening.must_balance()


def test_a_hand_that_followed_says_so_if_somebody_got_something_else_by_it(
    evening: Evening,
) -> None:
    """Ann's frog found 20 less in its pot. Bob lost his solo: its pot stays, whatever it holds."""
    evening.record(bid("Bob", "spade-solo", 50))
    evening.correct(1, bid("Cyd", "spade-solo"))
    one, two, three, four = evening.read(session.summary).hands
    assert (one.action, one.follows, one.reason) == ("corrected", None, "miscounted")
    assert (two.action, two.follows, two.is_changed, two.previous) == ("recorded", None, False, ())
    assert (three.action, three.follows) == ("followed", 1)
    assert three.reason == "hand 1 corrected: miscounted"
    assert [version.action for version in three.previous] == ["recorded"]
    assert three.previous[0].deltas != three.deltas
    assert (four.is_changed, four.previous, four.reason) == (False, (), None)
    assert evening.read(versions.of_hand, 2)[-1].version == 2
    evening.must_balance()


def test_the_bank_lists_the_pots_in_the_order_of_a_record(any_club: CardClub) -> None:
    """Their accounts are opened in this order, in every one of several sessions; a preview opens none."""
    for _ in range(8):
        started = any_club.start(game="progressive", options={"pots": {"stake": 5}})
        preview = started.preview(record.record, ALL_PASS)
        assert preview.moves[-2:] == (Move("pot", "frog", 20, 20), Move("pot", "solo", 20, 20))
        started.record(ALL_PASS)
        accounts = started.read(reads_accounts.books).accounts
        assert [account.name for account in accounts if account.kind == "pot"] == ["frog", "solo"]
