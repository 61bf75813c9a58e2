"""Positions of random plays, with which the Python and the JavaScript referee are tested.

`python -m tests.engine.guide.positions` writes `positions.jsonl` next to this file again.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from engine.cards.card_sets import cards_of, mask_of
from engine.cards.cards import Card, Pack, Suit, read_cards, write_cards
from engine.games import find
from engine.guide.card_orders import RANKINGS
from engine.guide.hand import GuidedHand
from engine.guide.random_hands import NAMES, Chance, deal_out, play_on
from engine.guide.referee import PlaySetup, Position, referee
from engine.phases.actions import HandPart
from engine.phases.tricks import Play
from engine.rules.sheet import Rules
from tests.engine.playing import HOUSES, House

FILE = Path(__file__).with_name("positions.jsonl")
HANDS_PER_HOUSE = 6
KNOWLEDGE = ("all", "one", "aside", "nothing")
"""What is known of a deal: every hand, one hand, the cards aside, or no card."""

CALLED_CARD = "must-play-called-card"

Json = dict[str, Any]


class PlayedHand(NamedTuple):
    """A hand with the order of its cards, as pages know it, and all cards in the order played."""

    guided: GuidedHand
    order: Json
    setup: PlaySetup
    cards: tuple[Card, ...]


def played_hand(house: House, chance: Chance) -> PlayedHand:
    """Play random hands until one is played out with a contract."""
    rules = find(house.game).rules(house.variant, house.options, house.seats)
    table = rules.table(NAMES[: house.seats], NAMES[0])
    while True:
        guided = play_on(deal_out(rules, table, chance), chance)
        if isinstance(guided.phase, Play) and guided.ended is None:
            return _played(rules, guided)


def _played(rules: Rules, guided: GuidedHand) -> PlayedHand:
    assert guided.contract is not None
    assert guided.swap is not None
    seats, contract = guided.swap.seats, guided.contract
    bid = rules.by_slug[str(contract.bid)]
    order, leader = rules.opening(bid, contract, len(seats), seats.index(str(contract.bidder)))
    trump = contract.trump or (bid.trumps[0] if bid.trumps else None)
    must_play = bid.calls is not None and bid.calls.must_play and contract.called is not None
    described = {
        "ranking": next(name for name, ranking in RANKINGS.items() if ranking is rules.ranking),
        "trump": trump.value if trump else "",
        "called": str(contract.called) if must_play else "",
        "mustLead": bool(must_play and bid.calls and bid.calls.must_lead),
    }
    cards = tuple(
        step for part, step in guided.steps if part is HandPart.PLAY and isinstance(step, Card)
    )
    aside = rules.pack.mask & ~sum(guided.swap.hands)
    setup = PlaySetup(order, rules.pack, seats, leader, rules.tricks, guided.swap.hands, aside)
    return PlayedHand(guided, described, setup, cards)


def known_to(setup: PlaySetup, knowledge: str, chance: Chance) -> PlaySetup:
    """Return the setup with all hands, one hand, the cards aside or nothing known."""
    seat = chance.pick(range(len(setup.seats)))
    nothing = (0,) * len(setup.seats)
    one = tuple(hand if place == seat else 0 for place, hand in enumerate(setup.hands))
    hands, aside = {
        "all": (setup.hands, setup.aside),
        "one": (one, 0),
        "aside": (nothing, setup.aside),
        "nothing": (nothing, 0),
    }[knowledge]
    return setup._replace(hands=hands, aside=aside)


def with_revoke(hand: PlayedHand, chance: Chance) -> tuple[Card, ...]:
    """Return the cards with two of one seat exchanged, so that the earlier one often breaks a duty.

    Cards after the first trick that another seat now wins are left out.
    """
    count, cards = len(hand.setup.seats), list(hand.cards)
    seats = [
        (trick.leader + place) % count
        for trick in referee(hand.setup, cards).tricks
        for place in range(len(trick.cards))
    ]
    early = chance.pick(range(len(cards)))
    later = [at for at in range(early + 1, len(cards)) if seats[at] == seats[early]]
    if later:
        at = chance.pick(later)
        cards[early], cards[at] = cards[at], cards[early]
    state = referee(hand.setup, cards)
    leaders = [trick.leader for trick in state.tricks]
    original = [trick.leader for trick in referee(hand.setup, hand.cards).tricks]
    same = next(
        (at for at, pair in enumerate(zip(leaders, original, strict=False)) if pair[0] != pair[1]),
        len(leaders),
    )
    return tuple(cards[: same * count])


def to_page(setup: PlaySetup, order: Json) -> Json:
    """Return a setup as the page's referee reads it, with cards from high to low."""
    return {
        **order,
        "pack": write_cards(cards_of(setup.pack.mask)),
        "worth": dict(setup.pack.worth),
        "seats": len(setup.seats),
        "leader": setup.leader,
        "size": setup.size,
        "hands": [write_cards(cards_of(hand)) for hand in setup.hands],
        "aside": write_cards(cards_of(setup.aside)),
    }


def from_page(page: Json) -> PlaySetup:
    """Return the setup that the page's referee reads."""
    trump = Suit(page["trump"]) if page["trump"] else None
    order = RANKINGS[page["ranking"]].under(
        trump, mask_of(read_cards(page["called"])), must_lead=page["mustLead"]
    )
    pack = Pack(tuple(sorted(read_cards(page["pack"]))), page["worth"])
    hands = tuple(mask_of(read_cards(hand)) for hand in page["hands"])
    aside = mask_of(read_cards(page["aside"]))
    return PlaySetup(
        order, pack, NAMES[: page["seats"]], page["leader"], page["size"], hands, aside
    )


def described(position: Position, seats: tuple[str, ...]) -> Json:
    """Return a position as the page's referee does, with seats by place and cards as text."""
    return {
        "turn": position.turn,
        "legal": [str(card) for card in position.legal],
        "possible": [str(card) for card in position.possible],
        "tricks": [
            {**trick._asdict(), "cards": [str(card) for card in trick.cards]}
            for trick in position.tricks
        ],
        "points": list(position.points),
        "tricksWon": list(position.tricks_won),
        "trumpsLeft": position.trumps_left,
        "voids": [list(suits) for suits in position.voids],
        "violations": [
            {
                "code": violation.code,
                **{
                    key: violation.where[name]
                    for key, name in (
                        ("trick", "trick"),
                        ("card", "card"),
                        ("proof", "proof"),
                        ("proofTrick", "proof_trick"),
                    )
                    if name in violation.where
                },
                "seat": seats.index(str(violation.where["seat"])),
                "legal": list(violation.legal),
            }
            for violation in position.violations
        ],
    }


def positions() -> Iterator[Json]:
    """Yield positions of every variant: the known part of the deal, the cards so far, and the state."""
    for house in HOUSES:
        chance = Chance.seeded(f"positions {house}")
        for number in range(HANDS_PER_HOUSE):
            hand = played_hand(house, chance)
            setup = known_to(hand.setup, KNOWLEDGE[number % 4], chance)
            cards = hand.cards if number % 3 else with_revoke(hand, chance)
            length = len(cards) if number % 2 else chance.pick(range(len(cards) + 1))
            yield _position(house, hand, setup, cards[:length])
        if any(bid.calls and bid.calls.must_play for bid in hand.guided.rules.bids):
            yield _called_card_kept(house, chance)


def _called_card_kept(house: House, chance: Chance) -> Json:
    """Return a position in which the called card was proven to be kept back."""
    while True:
        hand = played_hand(house, chance)
        setup = known_to(hand.setup, "nothing", chance)
        position = _position(house, hand, setup, with_revoke(hand, chance))
        if any(found["code"] == CALLED_CARD for found in position["state"]["violations"]):
            return position


def _position(house: House, hand: PlayedHand, setup: PlaySetup, cards: tuple[Card, ...]) -> Json:
    return {
        "house": str(house),
        "setup": to_page(setup, hand.order),
        "cards": write_cards(cards),
        "state": described(referee(setup, cards), setup.seats),
    }


def main() -> None:
    """Write the file."""
    lines = (json.dumps(position, separators=(",", ":")) + "\n" for position in positions())
    FILE.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
