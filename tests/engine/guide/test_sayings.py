"""The announcements of the declarer of German Solo (003): tout, and "partner?"."""

import pytest

from engine.cards.cards import read_cards
from engine.games import find
from engine.guide.hand import GuidedHand, begin
from engine.guide.transcript import write_down
from engine.phases.actions import Announcement, Ending
from engine.phases.tricks import Play
from engine.record import Contract, Deal, HandRecord
from engine.scoring.score import score
from tests.engine.playing import HOUSES, dice, play, written
from tests.engine.stepping import refused, steps

DEAL = {
    "Ann": "9S KC 9D QH 8D 8H AD AS",
    "Bob": "JH AH JS KD 7H 8C AC TD",
    "Cyd": "TH TC QC 9C TS QD 9H JC",
    "Dee": "8S QS JD 7S KH KS 7C 7D",
}
GERMAN = [house for house in HOUSES if house.game == "german-solo"]


def called() -> GuidedHand:
    """Ann plays frage in diamonds with the ace of clubs, which lies with Bob till the fifth trick."""
    rules = find("german-solo").rules(None, {}, 4)
    hand = begin(rules, rules.table(tuple(DEAL), "Dee"))
    hand = hand.deal(Deal({seat: read_cards(holding) for seat, holding in DEAL.items()}))
    return steps(hand, "frage", "pass", "pass", "pass", "D", "AC")


def first_legal(hand: GuidedHand, cards: int) -> GuidedHand:
    """Play some cards, each the first that is legal and not the called one where it can be helped."""
    for _ in range(cards):
        contract = hand.contract or Contract()
        legal = [card for card in hand.legal if card != contract.called] or list(hand.legal)
        hand = hand.after(legal[0])
    return hand


def test_tout_is_announced_with_the_bid_before_the_first_card() -> None:
    """It becomes part of the contract, counts 6 instead of 4, and cannot be announced later."""
    hand = called()
    assert hand.open_announcements == (Announcement.TOUT,)
    said = hand.after(Announcement.TOUT)
    assert said.contract is not None
    assert said.contract.announced_tout is True
    assert said.open_announcements == ()
    late = first_legal(hand, 1)
    violation = refused(lambda: late.after(Announcement.TOUT))
    assert (violation.code, violation.field) == ("not-now", "contract.announced_tout")


def test_the_partner_is_asked_for_from_the_fifth_trick_while_the_called_card_is_out() -> None:
    """Not in the fourth trick; in the fifth, once; and the record contains it."""
    fourth = first_legal(called(), 15)
    violation = refused(lambda: fourth.after(Announcement.PARTNER))
    assert (violation.code, violation.field) == ("not-now", "asked_partner")
    fifth = first_legal(called(), 16)
    assert isinstance(fifth.phase, Play)
    assert fifth.open_announcements == (Announcement.PARTNER,)
    asked = fifth.after(Announcement.PARTNER)
    assert asked.open_announcements == ()
    assert write_down(asked).asked_partner is True


def test_nobody_is_asked_for_once_the_called_card_was_played() -> None:
    """Everybody knows the partner then."""
    hand = called()
    while not hand.over:
        shown = any(action == hand.contract.called for _, action in hand.steps[6:])  # type: ignore[union-attr]
        if shown:
            assert hand.open_announcements == ()
        hand = hand.after(hand.legal[0])


def test_who_announced_tout_cannot_stop() -> None:
    """Stopping after the first tricks is offered only to a side that did not announce tout."""
    seen = 0
    for seed in range(150):
        hand = play(GERMAN[0], dice(seed), speak=True)
        if Announcement.TOUT in hand.announcements:
            seen += 1
            assert hand.ended is not Ending.STOPPED
    assert seen > 5


@pytest.mark.parametrize("house", GERMAN, ids=str)
def test_what_was_said_is_in_the_record_and_its_score(house: object) -> None:
    """Random hands with announcements are scored with them from their records."""
    spoken = 0
    for seed in range(120):
        hand = play(house, dice(f"said {seed}"), speak=True)  # type: ignore[arg-type]
        if not hand.announcements:
            continue
        spoken += 1
        record = written(house, hand)  # type: ignore[arg-type]
        repeated = HandRecord.from_mapping(record.to_mapping())
        assert score(repeated).deltas == score(record).deltas
        tout = record.contract is not None and bool(record.contract.announced_tout)
        assert tout is (Announcement.TOUT in hand.announcements)
        assert bool(record.asked_partner) is (Announcement.PARTNER in hand.announcements)
    assert spoken > 5


def test_in_other_games_nothing_is_said_beside_the_cards() -> None:
    """Only a game in which a side may stop knows tout and prime."""
    hand = play(HOUSES[0], dice(1), speak=True)
    assert (hand.announcements, hand.open_announcements) == ((), ())
