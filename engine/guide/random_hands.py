"""Complete legal hands at random: deal, auction, exchange and tricks, the same for the same seed.

Of Python's generator only `random.Random(text).random()` is used, whose numbers do not change between
versions of Python; `choice` and `shuffle` may.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from engine.cards.card_sets import cards_of
from engine.games import find
from engine.guide.hand import GuidedHand, begin
from engine.guide.transcript import write_down
from engine.phases.actions import Action, Ending, HandPart
from engine.phases.bidding.auction import Auction
from engine.phases.tricks import Play
from engine.record import PASS, Call, Deal, HandRecord, Pots
from engine.rules.seating import SeatingTable
from engine.rules.sheet import Rules

NAMES = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou")
"""The players of random hands."""

T = TypeVar("T")


class Chance:
    """Random choices; `draw` returns a random number from 0 up to, but not including, 1."""

    def __init__(self, draw: Callable[[], float]) -> None:
        self._draw = draw

    @classmethod
    def seeded(cls, seed: str) -> "Chance":
        """Build choices that are the same for the same seed, in every version of Python."""
        return cls(random.Random(seed).random)  # noqa: S311 - for games, not for secrets

    def happens(self, probability: float) -> bool:
        """Return true with this probability, from 0 to 1; uses one random number."""
        return self._draw() < probability

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely. Raises `IndexError` if there are none."""
        return items[int(self._draw() * len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items as a new list in random order."""
        rest, order = list(items), []
        while rest:
            at = int(self._draw() * len(rest))
            rest[at], rest[-1] = rest[-1], rest[at]
            order.append(rest.pop())
        return order


def random_hands(
    game: str,
    variant: str | None = None,
    options: Mapping[str, object] | None = None,
    *,
    players: int | None = None,
    seed: str = "",
) -> Iterator[HandRecord]:
    """Yield records of complete, valid hands without end; each depends on its number and the seed only.

    Without `players` a random table size of the game is used for each. Raises `Refused` at the call for an
    unknown game, variant or house rule, or a wrong number of players.
    """
    sheet = find(game)
    sizes = sheet.seats if players is None else (players,)
    rules = [sheet.rules(variant, options or {}, size) for size in sizes]
    return _numbered_hands(rules, seed)


def _numbered_hands(rules: Sequence[Rules], seed: str) -> Iterator[HandRecord]:
    """Yield a random hand for each number from 1, at one of the tables, without end."""
    number = 0
    while True:
        number += 1
        chance = Chance.seeded(f"{seed}/{number}")
        yield random_hand(chance.pick(rules), chance)


def random_hand(rules: Rules, chance: Chance) -> HandRecord:
    """Return the record of a complete, valid hand of `NAMES` at random; a random seat deals.

    In a game with pots each pot has 0 to 99 before.
    """
    names = NAMES[: rules.seats]
    hand = play_on(deal_out(rules, rules.table(names, chance.pick(names)), chance), chance)
    pots = None
    if "pots" in rules.keys:
        pots = Pots(chance.pick(range(100)), chance.pick(range(100)))
    return write_down(hand, pots=pots)


def deal_out(rules: Rules, table: SeatingTable, chance: Chance) -> GuidedHand:
    """Return a hand before its first call, with random cards.

    Where cards are spit, half of the hands are spit deals, dealt and drawn card by card.
    """
    if rules.dealing.spit and chance.happens(0.5):
        hand = begin(rules, table, spit=True)
        while not isinstance(hand.phase, Auction):
            hand = hand.after(chance.pick(hand.legal))
        return hand
    cards, size = chance.shuffled(rules.pack.cards), rules.tricks
    hands = {
        seat: tuple(cards[at * size : (at + 1) * size]) for at, seat in enumerate(table.active)
    }
    widow = tuple(cards[size * len(hands) :])
    return begin(rules, table).deal(Deal(hands, widow or None))


def play_on(hand: GuidedHand, chance: Chance, *, announcing: bool = True) -> GuidedHand:
    """Return the hand played to its end by random legal steps.

    Now and then a side concedes or stops; with `announcing` also a higher contract is declared, tout
    announced or the partner asked for.
    """
    while not hand.over:
        if isinstance(hand.phase, Play):
            hand = _play_trick(hand, chance, announcing=announcing)
        elif announcing and hand.declarations and chance.happens(0.2):
            hand = hand.after(chance.pick(hand.declarations))
        elif isinstance(hand.phase, Auction):
            hand = hand.after(modest_call(hand, hand.phase, chance))
        else:
            hand = hand.after(chance.pick(hand.legal))
    return hand


def modest_call(hand: GuidedHand, auction: Auction, chance: Chance) -> Action:
    """Return a random call that the cards allow: often a pass, and a low bid more often than a high one."""
    calls = list(auction.legal)
    if chance.happens(0.4) and calls[0] == Call(str(hand.to_act), PASS) and hand.allows(calls[0]):
        return calls[0]
    while True:
        call = chance.pick(calls[: 1 + chance.pick(range(len(calls)))])
        if hand.allows(call):
            return call
        calls.remove(call)


def _play_trick(hand: GuidedHand, chance: Chance, *, announcing: bool) -> GuidedHand:
    """Return the hand after the rest of a trick with random legal cards, or an announcement.

    Now and then it stops within the trick, and if a side may then concede, it does. A side that may stop
    after its first tricks does so half the time.
    """
    if Ending.STOPPED in hand.endings and chance.happens(0.5):
        return hand.after(Ending.STOPPED)
    if announcing and hand.open_announcements and chance.happens(0.1):
        return hand.after(chance.pick(hand.open_announcements))
    play: Play = hand.phase  # type: ignore[assignment]
    rest = len(play.seats) - len(play.trick)
    count = chance.pick(range(rest)) if chance.happens(0.05) else rest
    cards = []
    for _ in range(count):
        cards.append(chance.pick(cards_of(play.choices)))
        play = play.after(cards[-1])
    steps = (*hand.steps, *((HandPart.PLAY, card) for card in cards))
    hand = hand._replace(phase=play, steps=steps)
    endings = hand.endings if count < rest else ()
    return hand.after(chance.pick(endings)) if endings else hand
