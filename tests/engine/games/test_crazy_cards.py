"""Crazy-solo card by card: the deal, one call each, the secret partner, the blind round's bid."""

import pytest

from engine.cards.cards import Card, read_cards
from engine.games import find
from engine.guide.hand import begin
from engine.guide.transcript import write_down
from engine.phases.deal_out import HandingOut
from engine.record import Call
from engine.scoring.score import score
from tests.engine.hands import NAMES, crazy, refusal, scored
from tests.engine.replay.test_revokes import BLIND, HANDS, SPIT, changed
from tests.engine.stepping import SUITS_DEALT, at_table, dealt, steps


@pytest.mark.parametrize("seats", range(3, 13))
def test_all_cards_are_dealt_singly_from_the_dealers_left(seats: int) -> None:
    """One to each in turn until the pack is dealt, the same number to all."""
    hand = at_table("crazy-solo", seats)
    assert isinstance(hand.phase, HandingOut)
    places = [place for place, _ in hand.phase.packets]
    assert places == [*NAMES[:seats]] * hand.rules.tricks
    assert len(places) == len(hand.rules.pack.cards)


def test_each_has_one_call_from_the_lead_to_the_dealer() -> None:
    """Strictly higher; nobody answers an overcall."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "solo", "go-alone", "pass")
    assert hand.to_act == "Dee"
    assert [call.call for call in hand.legal if isinstance(call, Call)] == [
        "pass",
        "go-alone-in-hearts",
    ]


def test_solo_in_hearts_may_be_bid_over_solo_in_hearts() -> None:
    """The last to bid it is the caller; nothing else goes over itself."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "solo-in-hearts", "solo-in-hearts", "pass")
    assert steps(hand, "solo-in-hearts").phase.to_act == "Dee"
    assert not steps(dealt("crazy-solo", SUITS_DEALT), "solo").allows(Call("Bob", "solo"))
    assert not steps(dealt("crazy-solo", SUITS_DEALT), "go-alone-in-hearts").allows(
        Call("Bob", "go-alone-in-hearts")
    )


def test_three_players_only_go_alone() -> None:
    """Or bid blind, which nobody bids over."""
    hand = begin(
        find("crazy-solo").rules(None, {}, 3),
        find("crazy-solo").rules(None, {}, 3).table(NAMES[:3], "Cyd"),
    )
    ladder = hand.rules.ladder.rungs
    assert set(ladder) == {"", "go-alone", "go-alone-in-hearts", "blind"}


def test_the_lead_bids_blind_with_a_heart_and_nobody_bids_over() -> None:
    """It is offered to nobody else, nor to a lead without hearts."""
    assert Call("Ann", "blind") not in dealt("crazy-solo", SUITS_DEALT).legal
    swapped = {
        seat: cards.replace("6S", "?").replace("6H", "6S").replace("?", "6H")
        for seat, cards in SUITS_DEALT.items()
    }
    hand = dealt("crazy-solo", swapped)
    assert Call("Ann", "blind") in hand.legal
    named = steps(hand, "blind")
    assert named.to_act == "Ann"
    assert all(isinstance(card, Card) for card in named.legal)
    assert Call("Bob", "blind") not in steps(hand, "pass").legal


def test_the_holder_of_the_called_card_is_the_secret_partner() -> None:
    """Any card of the deck in play may be called, not only a trump; its holder follows from the cards."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "solo", "pass", "pass", "pass", "S", "6C")
    while not hand.over:
        hand = hand.after(hand.legal[0])
    record = write_down(hand)
    verdict = score(record)
    assert (verdict.partner, verdict.points) == ("Dee", 120)
    assert record.contract is not None
    assert scored(changed(HANDS[15], "deal")).partner == "Cyd"


def test_who_calls_a_card_of_their_own_plays_alone() -> None:
    """The contract need not state it: it follows from the cards."""
    assert "alone" not in SPIT["contract"]
    verdict = scored(SPIT)
    assert (verdict.partner, verdict.deltas["Ann"]) == (None, 455)


def test_the_dealers_left_makes_the_opening_lead() -> None:
    """For every caller."""
    hand = steps(dealt("crazy-solo", SUITS_DEALT), "pass", "pass", "go-alone", "pass", "D")
    assert hand.to_act == "Ann"


def test_a_removed_card_is_not_dealt_called_or_played() -> None:
    """With five players 6♠ is out."""
    assert refusal(crazy(5, "solo", 74, called="6S")).code == "called-card-not-in-deck"
    tricks = [dict(trick) for trick in BLIND["tricks"]]
    tricks[6]["cards"] = tricks[6]["cards"].replace("8S", "6S")
    violation = refusal(changed(BLIND, tricks=tricks))
    assert (violation.code, violation.where["card"]) == ("card-not-held", "6S")
    bare = refusal(changed(BLIND, "deal", tricks=tricks))
    assert (bare.code, bare.where["card"]) == ("card-not-in-pack", "6S")


def test_three_with_the_short_pack_play_eight_tricks() -> None:
    """Sixes, sevens and eights are out."""
    hand = at_table("crazy-solo", 3, short_deck=True)
    assert hand.rules.tricks == 8
    assert not set(read_cards("6S 7S 8S")) & set(hand.rules.pack.cards)
