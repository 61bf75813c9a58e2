"""The engine against the recorded evenings, which have payouts worked out by hand."""

import pytest

from engine.record import HandRecord
from engine.scoring.score import score
from tests.evening.load import GAMES, Evening, Game, Payout, Record, load


@pytest.fixture(params=GAMES)
def evening(request: pytest.FixtureRequest) -> Evening:
    """Give each recorded evening in turn."""
    game: Game = request.param
    return load(game)


def test_every_hand_as_first_written_pays_what_was_worked_out_by_hand(evening: Evening) -> None:
    """Outcome, amount and every seat's delta agree, hand by hand."""
    for number, (hand, payout) in enumerate(zip(evening.hands, evening.payouts, strict=True), 1):
        _agrees(number, hand, payout)


def test_every_correction_pays_what_was_worked_out_by_hand(evening: Evening) -> None:
    """The record as it stands after each correction gives that correction's payout."""
    for made, change in enumerate(evening.changes, 1):
        if change.payout is not None:
            record = evening.standing_records(made)[change.hand]
            _agrees(change.hand, record, change.payout)


def test_each_hand_is_dealt_by_whom_the_hand_before_it_names(evening: Evening) -> None:
    """The engine's next dealer and the dealer written down next are the same person."""
    for before, after in zip(evening.hands, evening.hands[1:], strict=False):
        assert score(HandRecord.from_mapping(before)).next.dealer == after["dealer"]


def _agrees(number: int, hand: Record, payout: Payout) -> None:
    verdict = score(HandRecord.from_mapping(hand))
    got = (verdict.outcome.value, verdict.amount, dict(verdict.deltas))
    assert got == (payout.outcome, payout.amount, dict(payout.deltas)), (
        f"hand {number}: {payout.worked}"
    )
