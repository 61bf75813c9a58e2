"""The three depths of a record: less said, the same verdict."""

from dataclasses import replace

import pytest

from engine.games import find
from engine.record import HandRecord
from engine.replay.replay import replay
from engine.scoring.score import score
from tests.engine.playing import HOUSES, House, dice, play, written


def result_only(record: HandRecord) -> HandRecord:
    """Take every card out of a record, and state what they told instead."""
    rules = find(record.game).rules(record.rules, record.options, len(record.players))
    table = rules.table(record.players, record.dealer, record.active)
    told = replay(rules, table, record, [])
    result = told.result._asdict()
    announced = result.pop("announced_tout")
    assert announced is None
    for key in ("tricks_won", "points_against"):
        if key not in rules.keys and rules.pack.total:
            del result[key]
    bare = replace(record, deal=None, spit=None, auction=None, exchange=None, tricks=None)
    return replace(bare, contract=told.contract, **result)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_the_result_alone_is_scored_as_the_whole_hand_is(house: House) -> None:
    """Contract and result, as the cards told them, give the very same verdict."""
    rng = dice(f"depths of {house}")
    for _ in range(25):
        record = written(house, play(house, rng))
        assert score(result_only(record)) == score(record)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_stating_what_the_cards_tell_changes_nothing(house: House) -> None:
    """A record may say everything twice, as long as it agrees."""
    rng = dice(f"said twice at {house}")
    for _ in range(25):
        record = written(house, play(house, rng))
        bare = result_only(record)
        said = {
            key: getattr(bare, key)
            for key in ("contract", "points", "tricks_won", "matadors", "first_tricks_won")
        }
        assert score(replace(record, **said)) == score(record)
