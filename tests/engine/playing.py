"""Plays hands at random through the phases that guide a table: only legal steps, written down."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.games import find
from engine.guide.hand import GuidedHand, begin
from engine.guide.random_hands import NAMES, Chance, deal_out, modest_call, play_on
from engine.guide.transcript import write_down
from engine.phases.actions import Action
from engine.phases.bidding.auction import Auction
from engine.record import HandRecord, Pots


@dataclass(frozen=True)
class House:
    """A table to play at: game, variant, house rules and how many sit there."""

    game: str
    seats: int
    variant: str | None = None
    options: Mapping[str, object] = field(default_factory=dict, hash=False)
    pots: bool = False

    def __str__(self) -> str:
        parts = [self.game, str(self.seats), self.variant, *map(str, self.options.values())]
        return "-".join(part for part in parts if part)


HOUSES = (
    House("six-bid", 3),
    House("six-bid", 4),
    House("six-bid", 5, "pagat"),
    House("six-bid", 7, "pagat", {"auction": "rotation", "misere_by_tricks": True}),
    House("six-bid", 3, "hoyle", {"call_own_card": True, "deal_pattern": "4-(3)-3-4"}),
    House("frog", 3),
    House("frog", 3, None, {"auction": "duel", "hearts_in_chico": False}),
    House("frog", 3, None, {"auction": "one-round"}),
    House("straight-solo", 3),
    House("progressive", 3),
    House("progressive", 4, "hoyle"),
    House("progressive", 5, "hoyle", {"pots": {"stake": 2, "on_loss": "match"}}, pots=True),
    House("crazy-solo", 3),
    House("crazy-solo", 3, None, {"short_deck": True}),
    *(House("crazy-solo", seats) for seats in range(4, 13)),
    House("german-solo", 4),
    House("german-solo", 4, "sollo"),
    House("german-solo", 4, "altenburg", {"grossfrage_duty": "spadille-and-a-seven"}),
)
"""Every game, with those house rules that change how a hand goes."""


def dice(seed: int | str) -> random.Random:
    """Give chance that falls the same way at each run."""
    return random.Random(seed)  # noqa: S311 - no secret hangs on it


def open_hand(house: House, rng: random.Random, *, step_deal: bool = False) -> GuidedHand:
    """Deal a hand at random, all at once or card by card."""
    rules = find(house.game).rules(house.variant, house.options, house.seats)
    players = NAMES[: house.seats]
    table = rules.table(players, rng.choice(players))
    if not step_deal:
        return deal_out(rules, table, Chance(rng.random))
    hand = begin(rules, table, spit=bool(rules.dealing.spit) and rng.random() < 0.5)
    while not isinstance(hand.phase, Auction):
        hand = hand.after(rng.choice(hand.legal))
    return hand


def choose(hand: GuidedHand, rng: random.Random) -> Action:
    """Choose a legal step, in the auction mostly the modest ones so that every bid gets its turn."""
    if isinstance(hand.phase, Auction):
        return modest_call(hand, hand.phase, Chance(rng.random))
    return rng.choice(hand.legal)


def play(
    house: House, rng: random.Random, *, step_deal: bool = False, speak: bool = False
) -> GuidedHand:
    """Play a hand to its end; now and then somebody gives it up, stops or, with `speak`, speaks."""
    hand = open_hand(house, rng, step_deal=step_deal)
    return play_on(hand, Chance(rng.random), announcing=speak)


def written(house: House, hand: GuidedHand) -> HandRecord:
    """Write the record of a hand, with the values that do not follow from its cards."""
    pots = Pots(3, 5) if house.pots else None
    return write_down(hand, pots=pots)
