"""The hands of a session by the page, and its running totals: each part is as in the whole."""

from typing import Any

import pytest

from ledger.services.chips import adjust
from ledger.services.reads import running_totals, session
from ledger.services.reads.running_totals import RunningTotals
from ledger.services.session.load import load
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening

THREE = table.FOUR[:3]
ALL_PASS: dict[str, Any] = {"contract": {"bid": "pass"}}
FROG: dict[str, Any] = {"contract": {"bidder": "Ann", "bid": "frog"}, "points": 70}
LOST: dict[str, Any] = {"contract": {"bidder": "Bob", "bid": "spade-solo"}, "points": 40}


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """Nine hands: corrected, void and restored ones, and chips won and lost by other entries in between."""
    started = sqlite_club.start(THREE, "progressive", options={"pots": {"stake": 5}})
    hands = (ALL_PASS, FROG, LOST, ALL_PASS, LOST, FROG, ALL_PASS, LOST, FROG)
    for number, hand in enumerate(hands):
        started.record(hand)
        if number in (0, 3, 8):
            started.adjust("Cyd", -number - 1, pot="solo")
        if number == 1:
            started.lend("Ann", 20)
            started.do(adjust.share_pots)
        if number == 6:
            started.count({"Bob": {5: 3}}, post=True)
    started.void(8)
    started.void(3)
    started.restore(3)
    started.correct(2, LOST)
    return started


def totals(evening: Evening) -> RunningTotals:
    """Read the running totals of a session."""
    return evening.club.read(
        lambda session: running_totals.of_evening(session, load(session, evening.id))[0]
    )


def test_any_part_of_an_evening_reads_as_it_does_in_the_whole(evening: Evening) -> None:
    """From either end: the running totals are those of the whole, with any winnings by other entries."""
    lines = evening.read(session.hands)
    assert [line.number for line in lines] == list(range(1, 10))
    for first in range(1, 10):
        for last in range(first, 10):
            part = evening.read(session.hands, first=first, last=last)
            assert part == lines[first - 1 : last], (first, last)


def test_the_newest_total_is_what_everybody_has_won_by_now(evening: Evening) -> None:
    """And nobody had won anything before the first hand, from whichever end it is found."""
    board = evening.read(session.board)
    *_, newest = evening.read(session.hands, first=9)
    (oldest,) = evening.read(session.hands, first=1, last=1)
    bet = (0, 0, -1)
    nets = {line.name: line.balance for line in board.standings}
    assert dict(zip(THREE, newest.balances, strict=True)) == nets
    assert oldest.balances == tuple(map(sum, zip(oldest.deltas, bet, strict=True)))


def test_a_line_is_the_running_totals_of_the_history(evening: Evening) -> None:
    """With corrected and void hands, and winnings by other entries; from nothing before the first."""
    hands = evening.read(session.hands)
    drawn = totals(evening)
    assert drawn.hands == 9
    for place, line in enumerate(drawn.lines):
        after = dict(zip(line.hands, line.totals, strict=True))
        assert after[line.hands[0]] == 0
        for hand in hands:
            if hand.number > line.hands[0]:
                assert after[hand.number] == hand.balances[place], (line.name, hand.number)


def test_a_long_evening_has_no_more_points_than_can_be_told_apart(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine hands in four points: after three, six and nine, as they stand then."""
    hands = {hand.number: hand for hand in evening.read(session.hands)}
    monkeypatch.setattr(running_totals, "MOST", 3)
    for place, line in enumerate(totals(evening).lines):
        assert line.hands == (0, 3, 6, 9)
        assert line.totals == (0, *(hands[number].balances[place] for number in (3, 6, 9)))


def test_who_comes_late_has_no_line_before(evening: Evening) -> None:
    """Dee joins after nine hands and plays the tenth; before any hand nobody has moved."""
    evening.join("Dee")
    assert totals(evening).lines[3].hands == (9,)
    evening.record({**FROG, "active": ["Dee", "Ann", "Bob"], "dealer": "Cyd"})
    assert totals(evening).lines[3].hands == (9, 10)
    empty = evening.club.start(THREE, "six-bid")
    assert {line.totals for line in totals(empty).lines} == {(0,)}
