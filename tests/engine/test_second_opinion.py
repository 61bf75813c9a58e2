"""The verdict on whole hands against a plain second opinion that shares no part with the engine."""

import pytest

from engine.scoring.score import score
from tests.engine.playing import HOUSES, House, dice, play, written
from tests.engine.second_opinion import opinion

MORE = (
    House("german-solo", 4, None, {"matadors_own_side_only": True, "solo_base": 2}),
    House("progressive", 6, "pennycook", {"idle_paid_on_loss": True}),
    House("progressive", 4, "pennycook", {"pots": {"stake": 3, "solo_factor": 4}}, pots=True),
    House("frog", 3, None, {"grand_multiplier": 4}),
    House("six-bid", 6, "hoyle", {"idle_paid_on_loss": False}),
    House("crazy-solo", 6, None, {"rounding": 0}),
)


@pytest.mark.parametrize("house", [*HOUSES, *MORE], ids=str)
def test_a_second_opinion_agrees(house: House) -> None:
    """Outcome and every seat's delta, for forty hands played at random."""
    rng = dice(f"second opinion on {house}")
    outcomes = set()
    for _ in range(40):
        record = written(house, play(house, rng))
        verdict = score(record)
        outcome, deltas = opinion(record.to_mapping())
        assert (verdict.outcome.value, dict(verdict.deltas)) == (outcome, deltas)
        outcomes.add(outcome)
    assert len(outcomes) > 1
