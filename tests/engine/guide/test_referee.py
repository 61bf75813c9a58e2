"""Refereeing the play of a hand that may be unfinished."""

import json
import os
from dataclasses import replace
from itertools import cycle

import pytest

from engine.cards.cards import read_cards, write_cards
from engine.errors import Refused
from engine.games import find
from engine.guide.card_orders import RANKINGS, card_orders
from engine.guide.random_hands import Chance
from engine.guide.referee import PlaySetup, Position, referee
from engine.phases.tricks import Play
from engine.record import HandRecord, Trick
from engine.replay.revokes import REVOKES
from engine.scoring.score import score
from tests.engine.guide import positions
from tests.engine.guide.positions import known_to, played_hand, with_revoke
from tests.engine.playing import HOUSES, House, written

HANDS = int(os.environ.get("REFEREED_HANDS", "52"))
"""How many random hands are refereed; set it to 10,000 for the whole proof."""

PLANTED = int(os.environ.get("PLANTED_REVOKES", "16"))
"""How many hands with a planted revoke are refereed; set it to 2,000 for the whole proof."""

SIX_BID = find("six-bid").rules("hoyle", {}, 3)


def hearts_trump(hands: tuple[int, ...] = (0, 0, 0), aside: int = 0) -> PlaySetup:
    """Return a six-bid hand with hearts as trumps, led by Ann."""
    order = SIX_BID.ranking.under(next(suit for suit in SIX_BID.by_slug["heart-solo"].trumps))
    return PlaySetup(order, SIX_BID.pack, ("Ann", "Bob", "Cyd"), 0, 11, hands, aside)


def after(cards: str, setup: PlaySetup | None = None) -> Position:
    """Return the position after cards, by default with nothing known of the deal."""
    return referee(setup or hearts_trump(), read_cards(cards))


def mask(cards: str) -> int:
    """Return a set of cards."""
    return sum(1 << card for card in read_cards(cards))


def test_the_positions_file_is_what_the_referee_answers() -> None:
    """`python -m tests.engine.guide.positions` writes it again."""
    written = [json.loads(line) for line in positions.FILE.read_text(encoding="utf-8").splitlines()]
    assert written == list(positions.positions())
    for position in written:
        setup = positions.from_page(position["setup"])
        state = referee(setup, read_cards(position["cards"]))
        assert positions.described(state, setup.seats) == position["state"]


def test_the_positions_have_every_game_table_size_and_duty() -> None:
    """A new house is added to the file when it is written again."""
    written = [json.loads(line) for line in positions.FILE.read_text(encoding="utf-8").splitlines()]
    assert {position["house"] for position in written} == set(map(str, HOUSES))
    codes = {
        violation["code"] for position in written for violation in position["state"]["violations"]
    }
    assert codes >= {"must-follow-suit", "must-trump", positions.CALLED_CARD}


def test_the_table_of_card_orders_is_small_and_names_every_ranking() -> None:
    """It goes to a phone with each hand form."""
    assert len(json.dumps(card_orders())) < 1600
    assert {type(ranking) for ranking in RANKINGS.values()} == {
        type(find(house.game).rules(house.variant, house.options, house.seats).ranking)
        for house in HOUSES
    }


def test_random_hands_are_refereed_as_they_are_guided_and_scored() -> None:
    """Turn and legal cards at every step with all hands known; leaders and points at the end."""
    chance = Chance.seeded("refereed")
    for number in range(HANDS):
        hand = played_hand(HOUSES[number % len(HOUSES)], chance)
        setup, end = hand.setup, hand.guided.phase
        assert isinstance(end, Play)
        play = Play.begin(setup.order, setup.seats, setup.hands, setup.leader)
        for at, card in enumerate(hand.cards):
            state = referee(setup, hand.cards[:at])
            assert (state.turn, state.legal, state.possible) == (play.turn, play.legal, ())
            play = play.after(card)
        for knowledge in positions.KNOWLEDGE:
            state = referee(known_to(setup, knowledge, chance), hand.cards)
            assert state.violations == ()
            assert state.over
            assert tuple(trick.leader for trick in state.tricks) == end.leaders[:-1]
            assert state.points == tuple(map(setup.pack.count, end.won_cards))


def test_the_card_played_is_always_legal_or_possible() -> None:
    """Whatever is known of the deal."""
    chance = Chance.seeded("possible")
    for number in range(HANDS):
        hand = played_hand(HOUSES[number % len(HOUSES)], chance)
        for knowledge in ("one", "aside", "nothing"):
            setup = known_to(hand.setup, knowledge, chance)
            for at, card in enumerate(hand.cards):
                state = referee(setup, hand.cards[:at])
                assert card in state.legal + state.possible


def test_a_planted_revoke_is_reported_as_the_score_reports_it() -> None:
    """The first violation: its trick, card, legal cards and proof."""
    chance, houses, revokes = Chance.seeded("revokes"), cycle(HOUSES), 0
    while revokes < PLANTED:
        house = next(houses)
        hand = played_hand(house, chance)
        setup = known_to(hand.setup, "nothing", chance)
        cards, count = with_revoke(hand, chance), len(setup.seats)
        if len(cards) < len(hand.cards):
            continue
        tricks = tuple(Trick(cards[at : at + count]) for at in range(0, len(cards), count))
        record = replace(
            written(house, hand.guided),
            deal=None,
            auction=None,
            exchange=None,
            spit=None,
            tricks=tricks,
        )
        problems = referee(setup, cards).violations
        reported = first_violation(record)
        if problems:
            revokes += 1
            assert (
                problems[0].code,
                problems[0].message,
                problems[0].where,
                problems[0].legal,
            ) == reported
        else:
            assert reported is None or reported[0] not in REVOKES


def first_violation(record: HandRecord) -> tuple[object, ...] | None:
    """Return the parts of the first violation of a record's cards; `None` if it scores."""
    try:
        score(record)
    except Refused as refused:
        first = refused.violations[0]
        return first.code, first.message, first.where, first.legal
    return None


def test_a_revoke_is_reported_in_the_trick_that_proves_it() -> None:
    """Bob discards a club on spades, and plays a spade two tricks later."""
    tricks = "AS 6C 7S AC 7C 8C"
    assert after(tricks).violations == ()
    assert after(f"{tricks} AD").violations == ()
    (violation,) = after(f"{tricks} AD 8S").violations
    assert violation.code == "must-follow-suit"
    assert (violation.where["trick"], violation.where["proof_trick"]) == (1, 3)
    assert violation.where["proof"] == "8S"


def test_a_revoke_is_reported_at_once_if_the_hand_is_known() -> None:
    """No later card is needed as a proof."""
    bob = mask("9S 8S 6C 7C 8C 9C JC QC KC TC AC")
    (violation,) = after("AS 6C", hearts_trump((0, bob, 0))).violations
    assert violation.code == "must-follow-suit"
    assert violation.legal == ("9S", "8S")
    assert "proof" not in violation.where


def test_every_violation_is_reported_in_the_order_of_play() -> None:
    """Both Bob and Cyd revoke in the first trick; Cyd's is proven first."""
    state = after("AS 6C 6D 8D 8C 7S 9C 9S")
    assert [violation.where["seat"] for violation in state.violations] == ["Bob", "Cyd"]


def test_a_seat_that_discards_is_void_in_the_suit_led_and_in_trumps() -> None:
    """A later card of either is proven illegal unless it is another's revoke."""
    state = after("AS 6C 7S AC")
    assert state.voids == ((), ("S", "H"), ())
    assert state.turn == 1
    assert {card.suit.value for card in state.possible} == {"C", "D"}


def test_trumps_of_several_suits_are_one_suit() -> None:
    """In German Solo the black queens are trumps."""
    rules = find("german-solo").rules("altenburg", {}, 4)
    order = rules.ranking.under(next(iter(rules.by_slug["solo"].trumps)))
    setup = PlaySetup(order, rules.pack, ("Ann", "Bob", "Cyd", "Dee"), 0, 8, (0, 0, 0, 0))
    plain = next(card for card in rules.pack.cards if not 1 << card & order.trumps)
    state = referee(setup, (*read_cards("QC"), plain))
    assert state.voids == ((), ("trumps",), (), ())
    assert state.trumps_left == (order.trumps & rules.pack.mask).bit_count() - 1


def test_a_card_known_elsewhere_is_neither_legal_nor_possible() -> None:
    """In another hand, in the widow, or played."""
    cyd = mask("AD TD KD QD JD 9D 8D 7D 6D AC TC")
    state = after("AS", hearts_trump((0, 0, cyd), mask("6S 7S 8S")))
    assert write_cards(state.possible) == (
        "TS KS QS JS 9S AH TH KH QH JH 9H 8H 7H 6H KC QC JC 9C 8C 7C 6C"
    )


def test_the_last_cards_are_legal_as_soon_as_nobody_else_can_hold_them() -> None:
    """With the widow known the last trick is down to its three cards."""
    chance = Chance.seeded("last")
    hand = played_hand(House("six-bid", 3), chance)
    setup = known_to(hand.setup, "aside", chance)
    last = referee(setup, hand.cards[:-1])
    assert (last.legal, last.possible) == (hand.cards[-1:], ())


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("AS 7S AS 8S", "card-played-twice"),
        ("AS 7S 8S AS", "card-played-twice"),
    ],
)
def test_cards_after_one_that_cannot_be_played_are_ignored(cards: str, code: str) -> None:
    """The state is that before it."""
    state = after(cards)
    assert [violation.code for violation in state.violations] == [code]
    assert state._replace(violations=()) == after(cards.rpartition(" AS")[0])


def test_a_card_outside_the_pack_is_refused() -> None:
    """Thirty-two cards are in the pack of German Solo."""
    rules = find("german-solo").rules("altenburg", {}, 4)
    order = rules.ranking.under(None)
    setup = PlaySetup(order, rules.pack, ("Ann", "Bob", "Cyd", "Dee"), 0, 8, (0, 0, 0, 0))
    (violation,) = referee(setup, read_cards("AS 6S")).violations
    assert (violation.code, violation.where["position"]) == ("card-not-in-pack", 2)


def test_a_card_after_the_last_trick_is_refused() -> None:
    """The hand is over."""
    chance = Chance.seeded("too many")
    hand = played_hand(House("six-bid", 3), chance)
    widow = next(card for card in SIX_BID.pack.cards if card not in hand.cards)
    state = referee(known_to(hand.setup, "nothing", chance), (*hand.cards, widow))
    assert [violation.code for violation in state.violations] == ["tricks-too-many"]
    assert state.over


def test_a_card_of_another_hand_names_its_holder() -> None:
    """As in a guided hand."""
    bob = mask("9S 8S 6C 7C 8C 9C JC QC KC TC AC")
    (violation,) = after("9S", hearts_trump((0, bob, 0))).violations
    assert violation.code == "card-not-held"
    assert violation.message == "Trick 1: Ann played 9S, which Bob held."
