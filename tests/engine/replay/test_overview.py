"""The course of a recorded hand for display."""

from typing import Any

import pytest

from engine.games import find
from engine.phases.tricks import Play
from engine.record import HandRecord
from engine.replay.overview import HandOverview, overview
from engine.scoring.score import score
from tests.engine.playing import HOUSES, House, dice, play, written
from tests.engine.replay.test_revokes import SOLO, changed


def seen(record: HandRecord | dict[str, Any]) -> HandOverview:
    """Return the overview of a hand by its own rules."""
    if not isinstance(record, HandRecord):
        record = HandRecord.from_mapping(record)
    rules = find(record.game).rules(record.rules, record.options, len(record.players))
    return overview(rules, record)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_leaders_winners_and_points_are_those_of_the_guided_hand(house: House) -> None:
    """Also after a concession or a stop, with the deal on record, and with the tricks alone."""
    for seed in range(8):
        guided = play(house, dice(f"{house} {seed}"))
        record = written(house, guided)
        if not isinstance(guided.phase, Play) or not record.tricks:
            continue
        verdict, seats = score(record), guided.phase.seats
        for keys in (record.to_mapping(), changed(record.to_mapping(), "deal", "spit")):
            shown = seen(HandRecord.from_mapping(keys))
            complete = [trick for trick in shown.tricks if trick.winner is not None]
            places = guided.phase.leaders
            assert [trick.leader for trick in complete] == [seats[at] for at in places[:-1]]
            assert [trick.winner for trick in complete] == [seats[at] for at in places[1:]]
            for trick in complete:
                assert trick.best is not None
                start = seats.index(str(trick.leader))
                assert seats[(start + trick.best) % len(seats)] == trick.winner
            side = {verdict.bidder, verdict.partner}
            if complete:
                own = [trick for trick in complete if trick.winner in side]
                assert complete[-1].side_tricks == len(own)
                assert complete[-1].side_points == sum(trick.points or 0 for trick in own)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_the_deal_is_that_of_the_record_or_of_its_spit(house: House) -> None:
    """Sorted, with the widow."""
    guided = play(house, dice(f"{house} deal"), step_deal=True)
    assert guided.dealt is not None
    record = written(house, guided).to_mapping()
    shown = seen(changed(record, "deal") if "spit" in record else record)
    hands = tuple(sum(1 << card for card in shown.hands[seat]) for seat in shown.seats)
    assert hands == guided.dealt.hands
    assert sum(1 << card for card in shown.widow) == guided.dealt.widow


def test_an_unfinished_trick_and_one_with_an_unknown_card_have_a_leader_and_no_winner() -> None:
    """Later tricks have only the leaders that were recorded."""
    tricks = [dict(trick) for trick in SOLO["tricks"]]
    complete = seen(SOLO).tricks
    conceded = changed(
        SOLO,
        "points",
        tricks=[tricks[0], {"cards": tricks[1]["cards"].split()[:1]}],
        conceded="opponents",
    )
    assert [trick.winner for trick in seen(conceded).tricks] == [complete[0].winner, None]
    assert seen(conceded).tricks[1].leader == complete[1].leader
    second = {"cards": ["?", *tricks[1]["cards"].split()[1:]]}
    bare = [{"cards": trick["cards"]} for trick in tricks]
    shown = seen(changed(SOLO, "deal", tricks=[bare[0], second, *bare[2:]])).tricks
    assert shown[0] == complete[0]
    assert (shown[1].leader, shown[1].winner, shown[1].cards[0]) == (complete[1].leader, None, None)
    assert {(trick.leader, trick.winner, trick.side_points) for trick in shown[2:]} == {
        (None, None, None)
    }


def test_the_winner_of_a_trick_led_out_of_turn_is_not_the_next_leader() -> None:
    """The one who led out of turn leads, and the trick before was won by another."""
    complete = seen(SOLO).tricks
    tricks = [dict(trick) for trick in SOLO["tricks"]][:1]
    wrong = next(seat for seat in SOLO["players"] if seat != complete[0].winner)
    lead = {"leader": wrong, "cards": [SOLO["tricks"][1]["cards"].split()[0]]}
    settled = [{"what": "out-of-turn", "seat": wrong, "trick": 2, "settled": "play-on"}]
    keys = changed(
        SOLO, "deal", "points", tricks=[*tricks, lead], irregular=settled, conceded="opponents"
    )
    shown = seen(keys).tricks
    assert (shown[0].winner, shown[1].leader) == (complete[0].winner, wrong)


def test_without_a_contract_or_with_a_wrong_leader_the_tricks_are_as_recorded() -> None:
    """Nobody is named who is not on record."""
    first = seen(SOLO).tricks[0].winner
    wrong = next(seat for seat in SOLO["players"] if seat != first)
    tricks = [SOLO["tricks"][0], {**SOLO["tricks"][1], "leader": wrong}]
    for keys in (
        changed(SOLO, "contract", "auction", "deal", tricks=SOLO["tricks"][:2]),
        changed(SOLO, "deal", "auction", contract={"bidder": "Bob", "bid": "whist"}),
        changed(
            SOLO,
            *("deal", "auction"),
            contract={"bidder": "Bob", "bid": "solo"},
            tricks=[{"cards": trick["cards"]} for trick in SOLO["tricks"]],
        ),
        changed(SOLO, "deal", "auction", contract={"bid": "heart-solo"}),
        changed(SOLO, "deal", tricks=tricks),
    ):
        shown = seen(keys).tricks
        assert [trick.winner for trick in shown] == [None] * len(shown)
        assert [trick.leader for trick in shown] == [
            trick.get("leader") for trick in keys["tricks"]
        ]


def test_a_hand_that_all_passed_has_no_tricks() -> None:
    """Its overview has the deal alone."""
    shown = seen(changed(SOLO, "tricks", "auction", "points", contract={"bid": "pass"}))
    assert shown.tricks == ()
    assert shown.hands
