"""The verdict on whole hands against a plain second opinion that shares no part with the engine."""

from dataclasses import replace
from functools import cache

import pytest

from engine.errors import Refused, Violation
from engine.record import HandRecord
from engine.record.results import RESULT
from engine.scoring.score import score
from tests.engine.playing import HOUSES, House, dice, play, written
from tests.engine.second_opinion import (
    led_beside_the_called_card,
    may_have_asked,
    may_have_had_matadors,
    opinion,
    shirks,
)

SIDES = RESULT["matadors"].words

MORE = (
    House("german-solo", 4, None, {"matadors_own_side_only": True, "solo_base": 2}),
    House("german-solo", 4, "sollo", {"matadors_on_loss": False, "called_card_leads": False}),
    House("german-solo", 4, None, {"clubs_preference": False, "grossfrage_duty": "none"}),
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
        record = written(house, play(house, rng, speak=True))
        verdict = score(record)
        outcome, deltas = opinion(record.to_mapping())
        assert (verdict.outcome.value, dict(verdict.deltas)) == (outcome, deltas)
        outcomes.add(outcome)
    assert len(outcomes) > 1


GERMAN = [house for house in (*HOUSES, *MORE) if house.game == "german-solo"]


@cache
def german_hands(house: House) -> tuple[HandRecord, ...]:
    """Play hands of German Solo, once for all that ask."""
    rng = dice(f"German hands of {house}")
    return tuple(written(house, play(house, rng)) for _ in range(180))


@pytest.mark.parametrize("house", GERMAN, ids=str)
def test_a_second_opinion_agrees_when_a_partner_may_be_asked_for(house: House) -> None:
    """The called card had not come out in four tricks, by both opinions."""
    met = set()
    for record in german_hands(house):
        asked = replace(record, asked_partner=True)
        fine = may_have_asked(record.to_mapping())
        met.add(fine)
        if fine:
            assert dict(score(asked).deltas) == opinion(asked.to_mapping())[1]
        else:
            with pytest.raises(Refused, match=r"no partner to (ask|$)"):
                score(asked)
    assert len(met) == 2


@pytest.mark.parametrize("house", GERMAN, ids=str)
def test_a_second_opinion_agrees_whose_the_matadors_may_have_been(house: House) -> None:
    """After a stop, with no deal on record: impossible sides are refused, and the true one never is."""
    ruled_out = 0
    for record in german_hands(house):
        if not record.stopped:
            continue
        bare = replace(record, deal=None, auction=None)
        true = score(record).deltas
        fits = [side for side in SIDES if not refuses(replace(bare, matadors=side))]
        assert set(fits) <= may_have_had_matadors(record.to_mapping())
        assert true in [score(replace(bare, matadors=side)).deltas for side in fits]
        ruled_out += len(fits) < len(SIDES)
    assert ruled_out


@pytest.mark.parametrize("house", GERMAN, ids=str)
def test_a_second_opinion_agrees_that_a_holder_leads_the_called_card(house: House) -> None:
    """Only by the option do they lead another card of its suit; with no deal on record, too."""
    leads = [each for each in german_hands(house) if led_beside_the_called_card(each.to_mapping())]
    assert bool(leads) is (house.options.get("called_card_leads") is False)
    default = {key: value for key, value in house.options.items() if key != "called_card_leads"}
    for record in leads:
        bare = replace(record, deal=None, auction=None)
        for case in (record,) if record.stopped else (record, bare):
            assert not refuses(case)
            with pytest.raises(Refused, match=r"led \w+, but held \w+, the called card"):
                score(replace(case, options=default))
        if not record.stopped and record.contract:
            (violation,) = refusals(replace(bare, options=default))
            assert violation.where["proof"] == str(record.contract.called)


@pytest.mark.parametrize("duty", ["black-queens", "spadille-and-a-seven"])
def test_a_second_opinion_agrees_who_shirks_a_grossfrage(duty: str) -> None:
    """Hands bid without the duty are scored with it: the first seat that owed a grossfrage is named."""
    free = House("german-solo", 4, None, {"grossfrage_duty": "none"})
    rng, seen = dice(f"shirking {duty}"), set()
    for _ in range(200):
        record = written(free, play(free, rng))
        by_duty = replace(record, options={"grossfrage_duty": duty})
        calls = [each for each in refusals(by_duty) if each.field.startswith("auction")]
        shirked = shirks(by_duty.to_mapping(), duty)
        assert [(each.code, each.field) for each in calls] == (
            [] if shirked is None else [("bid-owed", f"auction.{shirked}")]
        )
        seen.add(shirked)
    assert len(seen) > 3


def refusals(record: HandRecord) -> tuple[Violation, ...]:
    """Score a hand; return why it is refused."""
    try:
        score(record)
    except Refused as refused:
        return refused.violations
    return ()


def refuses(record: HandRecord) -> bool:
    """Whether a hand is refused."""
    return bool(refusals(record))


@pytest.mark.parametrize("house", GERMAN, ids=str)
def test_a_second_opinion_agrees_where_more_was_declared_than_bid(house: House) -> None:
    """A hand that was won with less: the same contract, scored as declared."""
    declared = 0
    for record in german_hands(house):
        bid = str(record.contract and record.contract.bid)
        lower = {"grossfrage": "frage", "solo": "grossfrage"}.get(bid)
        calls = record.auction or ()
        if lower is None or any(call.call not in ("pass", bid) for call in calls):
            continue
        said = tuple(call._replace(call=lower) if call.call == bid else call for call in calls)
        less = replace(record, auction=said)
        if len([call for call in calls if call.call == bid]) == 1 and not refuses(less):
            assert dict(score(less).deltas) == opinion(record.to_mapping())[1]
            declared += 1
    assert declared
