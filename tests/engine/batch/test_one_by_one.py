"""Complete hands that a batch scores one by one."""

import pytest

from engine.batch import score_many
from tests.engine.batch.test_many import TABLE, by_record, forget
from tests.engine.playing import House, dice, play, written


@pytest.mark.parametrize("house", [House("crazy-solo", 4), House("german-solo", 4), TABLE], ids=str)
@pytest.mark.parametrize("auction", [None, [["Ann", 5]]])
def test_contracts_with_partners_or_wrong_auctions_are_scored_one_by_one(
    house: House, auction: list[object] | None
) -> None:
    """Partners depend on the cards; an auction that cannot be read is refused."""
    rng = dice(f"one by one at {house}")
    mappings = [written(house, play(house, rng)).to_mapping() for _ in range(5)]
    if auction is not None:
        mappings = [{**mapping, "auction": auction} for mapping in mappings]
    forget()
    answers = [answer.to_mapping() for answer in score_many(mappings)]
    assert answers == [*map(by_record, mappings)]


@pytest.mark.parametrize("house", [TABLE, House("six-bid", 3)], ids=str)
def test_hands_with_claims_and_irregularities_are_scored_one_by_one(house: House) -> None:
    """Their verdicts and refusals are those of single hands, with the stated points or without."""
    rng = dice(f"events at {house}")
    complete = [written(house, play(house, rng)).to_mapping() for _ in range(5)]
    void = {"what": "misdeal", "settled": "void"}
    events: list[dict[str, object]] = [
        {"claimed": {"by": "bidder", "after": 11}},
        {"irregular": [void]},
        {"irregular": [void, void]},
        {"spread": {"after": "AS"}},
    ]
    mappings = [{**mapping, **event} for mapping in complete for event in events]
    forget()
    answers = [answer.to_mapping() for answer in score_many(mappings)]
    assert answers == [*map(by_record, mappings)]
    assert {answer["ok"] for answer in answers} == {True, False}
