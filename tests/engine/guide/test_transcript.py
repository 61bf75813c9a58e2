"""The record of a guided hand: it is scored by the rules that the hand was guided by."""

from hypothesis import given
from hypothesis import strategies as st

from engine.games import GAMES, find
from engine.guide.hand import GuidedHand
from engine.guide.transcript import write_down
from engine.record import HandRecord, Pots
from engine.rules.options import OptionValue
from engine.scoring.score import score
from tests.engine.playing import House, dice, play
from tests.engine.second_opinion import opinion
from tests.engine.strategies import value_of


@st.composite
def houses(draw: st.DrawFn) -> House:
    """A table of any game, at which every house rule may be another than usual."""
    sheet = GAMES[draw(st.sampled_from([*GAMES]))]
    variant = draw(st.sampled_from([None, *(each.slug for each in sheet.variants)]))
    options = {each.slug: draw(value_of(each)) for each in sheet.options if draw(st.booleans())}
    return House(sheet.slug, draw(st.sampled_from(sheet.seats)), variant, options)


def written(hand: GuidedHand) -> HandRecord:
    """Write a hand down, with pots where the table plays for them."""
    return write_down(hand, pots=Pots(3, 5) if "pots" in hand.rules.keys else None)


@given(houses(), st.integers(0, 10**6))
def test_a_record_is_scored_by_the_rules_of_its_hand(house: House, seed: int) -> None:
    """With any options the record builds the same rules, and pays by them."""
    hand = play(house, dice(seed), speak=True)
    record = HandRecord.from_mapping(written(hand).to_mapping())
    assert find(record.game).rules(record.rules, record.options, len(record.players)) == hand.rules
    verdict = score(record)
    assert (verdict.outcome.value, dict(verdict.deltas)) == opinion(record.to_mapping())


def test_a_record_keeps_the_house_rules_that_are_not_the_variants_own() -> None:
    """Not rounded, 129 from each of three is 387, and not 390; default options are left out."""
    table = House("crazy-solo", 4, None, {"rounding": 0, "hearts_in_solo": True})
    rng = dice("not rounded")
    hands = [written(play(table, rng)) for _ in range(40)]
    assert {tuple(record.options.items()) for record in hands} == {(("rounding", 0),)}
    amounts = {score(record).amount for record in hands}
    assert any(amount % 5 for amount in amounts)
    chosen: dict[str, OptionValue] = {"pots": {"stake": 2, "solo_factor": 2, "on_loss": "stay"}}
    pots = House("progressive", 4, "hoyle", {"pots": {"stake": 2}, "idle_paid_on_loss": True})
    assert written(play(pots, rng)).to_mapping()["options"] == chosen
