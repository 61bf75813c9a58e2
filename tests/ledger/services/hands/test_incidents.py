"""Claims and irregularities in recorded hands: stored, paid, explained, verified, corrected and undone."""

from typing import Any

import pytest

from ledger.services.hands import versions
from ledger.services.reads import hand_search
from ledger.services.reads import session as reads_session
from ledger.services.reads.hand_search import HandFilter
from ledger.services.session.load import load
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening

SOLO = {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob"}
CLAIM = {"by": "bidder", "after": 6}
REVOKE = {"what": "revoke", "seat": "Dee", "trick": 4, "card": "9H"}
MISDEAL = {"irregular": [{"what": "misdeal", "settled": "void"}]}


def agreed(*payments: tuple[str, str, int]) -> dict[str, Any]:
    """Write a revoke of Dee's, and the payments that were agreed."""
    rows = [dict(zip(("from", "to", "amount"), payment, strict=True)) for payment in payments]
    return {"irregular": [{**REVOKE, "settled": "agreed", "transfers": rows}]}


@pytest.fixture
def evening(any_club: CardClub) -> Evening:
    """A Crazy Solo session of four; Dee deals first, so Ann leads."""
    return any_club.start(table.FOUR, first_dealer="Dee")


def test_a_hand_with_events_is_stored_explained_and_verified(evening: Evening) -> None:
    """A claim is noted, agreed payments are paid, and a void hand moves nothing."""
    claimed = {"contract": SOLO, "points": 74, "claimed": CLAIM}
    evening.record(claimed)
    evening.record({"contract": SOLO, **agreed(("Dee", "Ann", 30), ("Dee", "Bob", 20))})
    evening.record({"contract": {**SOLO, "bidder": "Cyd"}, **MISDEAL})
    evening.record(MISDEAL)
    evening.record({"contract": SOLO, "irregular": [{**REVOKE, "settled": "lost"}]})
    lines = evening.read(reads_session.hands)
    assert [line.deltas for line in lines] == [
        (40, 40, -40, -40),
        (30, 20, 0, -50),
        (0, 0, 0, 0),
        (0, 0, 0, 0),
        (180, 180, -180, -180),
    ]
    assert [line.explanation[0] for line in lines] == [
        "the bidder claimed the rest after 6 tricks",
        "revoke by Dee in trick 4: settled by agreement",
        "misdeal: the hand does not count",
        "misdeal: the hand does not count",
        "revoke by Dee in trick 4: lost at full value",
    ]
    assert lines[1].explanation[1:] == ("Dee pays Ann 30", "Dee pays Bob 20")
    assert [line.dealer for line in lines] == ["Dee", "Ann", "Bob", "Bob", "Bob"]
    record = evening.read(versions.of_hand, 1)[-1].record
    assert (record["format"], record["claimed"]) == (1.1, CLAIM)
    evening.club.must_verify()


def test_a_void_hand_counts_for_no_bid(evening: Evening) -> None:
    """Its line names none, and no statistic has it as a solo."""
    evening.record({"contract": SOLO, **MISDEAL})
    evening.record({"contract": SOLO, "points": 74})
    first, second = evening.read(reads_session.hands)
    assert (first.bid_title, first.bidder, first.trump) == ("Settled at the table", None, None)
    assert evening.read(versions.of_hand, 1)[-1].effects.bid == "pass"
    assert (second.bid_title, second.bidder, second.trump) == ("Solo in hearts", "Ann", "H")
    ann = next(seat for seat in evening.view.seats if seat.name == "Ann")
    assert (ann.hands_bid, ann.hands_won) == (1, 1)
    for bid, numbers in (("solo-in-hearts", [2]), ("pass", [1])):
        with evening.club.db.read(evening.club.access) as session:
            search = hand_search.numbers(session, load(session, evening.id), HandFilter(bid=bid))
        assert search == numbers


def test_a_hand_with_events_is_corrected_undone_and_restored(evening: Evening) -> None:
    """Each time its payments move, and the sums follow."""
    evening.record({"contract": SOLO, **agreed(("Dee", "Ann", 30))})
    evening.correct(1, {"contract": SOLO, **MISDEAL})
    assert set(evening.balances.values()) == {0}
    evening.undo()
    assert evening.balances == {"Ann": 30, "Bob": 0, "Cyd": 0, "Dee": -30}
    evening.void(1)
    evening.restore(1)
    assert evening.balances == {"Ann": 30, "Bob": 0, "Cyd": 0, "Dee": -30}
    evening.club.must_verify()


def test_a_void_hand_leaves_pots_and_the_blind_round_as_they_were(any_club: CardClub) -> None:
    """The same dealer deals, and the same player is under, with as many heartless deals as before."""
    evening = any_club.start(table.FOUR, first_dealer="Dee")
    alone = {"bidder": "Ann", "bid": "go-alone", "trump": "S"}
    evening.record({"contract": alone, "points": 74, "blind_round": {}})
    evening.record({"contract": {**alone, "bidder": "Bob"}, **MISDEAL})
    evening.record({"contract": alone, "points": 74})
    rounds = [evening.read(versions.of_hand, hand)[-1].record["blind_round"] for hand in (1, 2, 3)]
    assert rounds == [{}, {"heartless": 1}, {"heartless": 1}]
    pots = any_club.start(game="progressive", options={"pots": {"stake": 1}}, first_dealer="Dee")
    pots.record({"contract": {"bidder": "Ann", "bid": "frog"}, "points": 70})
    pots.record({"contract": {"bidder": "Bob", "bid": "frog"}, **MISDEAL})
    pots.record({"contract": {"bid": "pass"}})
    first, second, third = (pots.read(versions.of_hand, hand)[-1] for hand in (1, 2, 3))
    assert second.record["pots"] == first.verdict["pots"] == third.record["pots"]
    pots.correct(1, {"contract": {"bidder": "Ann", "bid": "frog"}, "points": 40})
    first, second, third = (pots.read(versions.of_hand, hand)[-1] for hand in (1, 2, 3))
    assert second.record["pots"] == first.verdict["pots"] == third.record["pots"]
    any_club.must_verify()


def test_agreed_points_of_german_solo_are_scores(any_club: CardClub) -> None:
    """They sum to zero, and nobody's chips move."""
    evening = any_club.start(table.FOUR, "german-solo", first_dealer="Dee")
    contract = {"bidder": "Ann", "bid": "solo", "trump": "H"}
    evening.record({"contract": contract, **agreed(("Dee", "Ann", 3))})
    assert [seat.scored for seat in evening.view.seats] == [3, 0, 0, -3]
    any_club.must_verify()
