"""Six-bid card by card: the turns, the leads, the legal cards and their points."""

import pytest

from engine.cards.cards import Card, read_cards
from engine.guide.transcript import write_down
from engine.phases.tricks import Play
from engine.record import Call
from engine.scoring.score import score
from tests.engine.hands import refusal, scored
from tests.engine.replay.test_revokes import CALL_SOLO, HANDS, MISERE, SOLO, changed
from tests.engine.stepping import THREE, dealt, steps


def test_the_overcalled_one_must_at_once_raise_or_pass() -> None:
    """Only when one of the two has passed does the third speak, against the survivor."""
    hand = steps(dealt("six-bid", THREE), "solo", "heart-solo")
    assert hand.to_act == "Ann"
    assert steps(hand, "misere").to_act == "Bob"
    survivor = steps(hand, "pass")
    assert survivor.to_act == "Cyd"
    assert steps(survivor, "misere").to_act == "Bob"


def test_when_eldest_passes_the_second_bids_against_the_third() -> None:
    """A seat that has passed does not come back in."""
    hand = steps(dealt("six-bid", THREE), "pass", "solo")
    assert hand.to_act == "Cyd"
    assert steps(hand, "heart-solo").to_act == "Bob"
    assert not isinstance(steps(hand, "heart-solo", "pass").phase, type(hand.phase))


def test_any_level_may_open_and_each_bid_is_strictly_higher() -> None:
    """There is no hold."""
    opened = dealt("six-bid", THREE)
    assert [call.call for call in opened.legal if isinstance(call, Call)] == [
        "pass",
        "solo",
        "heart-solo",
        "misere",
        "guarantee",
        "spread-misere",
        "call-solo",
    ]
    top = steps(opened, "call-solo")
    assert [call.call for call in top.legal if isinstance(call, Call)] == ["pass"]


def test_option_auction_rotation_goes_round_the_table() -> None:
    """The third speaks before the overcalled one answers."""
    hand = steps(dealt("six-bid", THREE, auction="rotation"), "solo", "heart-solo")
    assert hand.to_act == "Cyd"


def test_eldest_leads_and_the_winner_of_each_trick_leads_to_the_next() -> None:
    """A record that names another is refused with the right one."""
    tricks = [dict(trick) for trick in SOLO["tricks"]]
    for number in (0, 1):
        wrong = [*tricks]
        wrong[number] = {**tricks[number], "leader": "Ann"}
        violation = refusal(changed(SOLO, tricks=wrong))
        assert (violation.code, violation.where["trick"]) == ("wrong-leader", number + 1)
        assert violation.legal == (tricks[number]["leader"],)


def test_leaders_need_not_be_noted() -> None:
    """They follow from the winners."""
    tricks = [{"cards": trick["cards"]} for trick in SOLO["tricks"]]
    assert scored(changed(SOLO, tricks=tricks)) == scored(SOLO)


def test_cards_of_a_trick_may_be_listed_one_by_one() -> None:
    """As texts of their own, in any spelling."""
    tricks = [{**trick, "cards": trick["cards"].split()} for trick in SOLO["tricks"]]
    tricks[3]["cards"] = "9♥  10h TC"
    assert scored(changed(SOLO, tricks=tricks)) == scored(SOLO)


def test_in_a_misere_there_are_no_trumps() -> None:
    """A seat that cannot follow plays anything, and only the suit led wins."""
    hand = steps(dealt("six-bid", THREE), "misere", "pass", "pass", "AH")
    assert hand.legal == read_cards("KH QH JH 9H 8H 7H 6H")
    hand = steps(hand, "KH")
    assert len(hand.legal) == 11  # Cyd has no heart
    assert isinstance(hand.phase, Play)
    assert hand.phase.order.trumps == 0


def test_the_widow_counts_for_the_bidder_but_not_in_a_misere() -> None:
    """The solo's count has the widow's points in it; the misère's has not."""
    assert SOLO["deal"]["widow"] == "QS 8S AS"
    assert scored(changed(SOLO, "points", points_against=120 - 64)).points == 64
    assert scored(changed(MISERE, "points")).points == 0
    assert MISERE["deal"]["widow"] == "AH AS JC"


@pytest.mark.parametrize(("by_tricks", "outcome"), [(False, "won"), (True, "lost")])
def test_a_worthless_trick_breaks_a_misere_only_by_the_option(
    by_tricks: bool, outcome: str
) -> None:
    """`misere_by_tricks`: the number won follows from the cards."""
    low = {
        "Ann": "9H 6H 6S 7S 8S 6C 7C 8C 6D 7D 8D",
        "Bob": "8H 7H QH JH AS TS KS QS AD TD KD",
        "Cyd": "AC TC KC QC JC 9C QD JD 9D JS 9S",
    }
    options = {"misere_by_tricks": by_tricks}
    hand = steps(dealt("six-bid", low, **options), "misere", "pass", "pass", "9H", "8H", "9C", "6H")
    while not hand.over:  # whatever the others play, Ann has nothing to win another trick with
        hand = hand.after(hand.legal[0])
    verdict = score(write_down(hand, options=options))
    assert (verdict.points, verdict.outcome) == (0, outcome)


def test_the_called_card_lies_in_the_bidders_hand_from_then_on() -> None:
    """Played from the giver's, it is refused."""
    tricks = [dict(trick) for trick in CALL_SOLO["tricks"]]
    assert tricks[9] == {"leader": "Cyd", "cards": "AD 6H 6D"}
    tricks[9]["cards"], tricks[10]["cards"] = "TS 6H AD", "6D KH TD"
    violation = refusal(changed(CALL_SOLO, tricks=tricks))
    assert (violation.code, violation.where["card"]) == ("card-not-held", "AD")


def test_a_called_card_of_ones_own_is_refused_without_the_option() -> None:
    """By the deal."""
    contract = {**CALL_SOLO["contract"], "called": "AC"}
    violation = refusal(changed(CALL_SOLO, "exchange", "tricks", contract=contract, points=120))
    assert violation.code == "called-own-card"


def test_nothing_stands_in_for_trumps_when_they_are_named() -> None:
    """Clubs are trumps: a seat without a spade must play a club."""
    assert SOLO["contract"]["trump"] == "C"
    hand = HANDS[0]
    tricks = [dict(trick) for trick in hand["tricks"]]
    assert Card.parse("TC") in read_cards(tricks[3]["cards"])
    # Ann had no heart left and held two clubs: she discarded a diamond that came out later.
    tricks[3]["cards"], tricks[6]["cards"] = "9H TH 9D", "JD TD TC"
    violation = refusal(changed(hand, "points", tricks=tricks))
    assert (violation.code, violation.where["trick"], violation.where["seat"]) == (
        "must-trump",
        4,
        "Ann",
    )
