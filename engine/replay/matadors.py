"""Finds the side that was dealt German Solo's three matadors, as far as the cards show (003).

If cards are missing (a side stopped early, or a deal is partly unknown), every possible holder of each
matador is tried: a hand has a fixed size, a seat that did not follow had none of the suit led, and no seat
was dealt cards that required more than was bid.
"""

from collections import Counter
from itertools import islice, product

from engine.cards.card_sets import BITS, cards_of
from engine.cards.cards import Card
from engine.errors import Problems, Refused, Violation
from engine.phases.tricks import Play
from engine.record import Tricks
from engine.record.results import RESULT
from engine.replay.auction import obligations
from engine.replay.deal import KnownDeal
from engine.replay.holdings import PlayedContract, union
from engine.replay.stated_result import difference
from engine.rules.aims import Result
from engine.rules.card_points import ResultValues
from engine.words.sentences import say

SIDES = RESULT["matadors"].words

Lacking = tuple[int, ...]
"""For each seat a set of cards that it cannot have kept back."""


def _lacking(play: Play, tricks: Tricks) -> Lacking:
    """Return for each seat the cards (bits) that it cannot have kept back in a finished play.

    A seat that did not follow has no card of the suit. A seat that followed with another card than the called
    one, or led another although the called one must be led, does not hold the called one. Excused cards show
    nothing.
    """
    missing, excused = [0] * len(play.seats), dict(tricks.excused)
    rest = iter(tricks.played)
    # The play has a leader for each of these tricks, and one for the next.
    for leader, size in zip(play.leaders, tricks.sizes, strict=False):
        cards = tuple(islice(rest, size))
        if not cards:
            break
        led = cards[0]
        follows = play.order.follows[led]
        if led not in excused:
            missing[leader] |= play.order.leads[led] & ~BITS[led]
        for place, card in enumerate(cards[1:], leader + 1):
            if card in excused:
                continue
            follower = place % len(missing)
            missing[follower] |= play.order.called & follows if follows & BITS[card] else follows
    return tuple(missing)


def matador_facts(
    case: PlayedContract,
    stated: Result,
    dealt: KnownDeal,
    problems: Problems,
    played: tuple[Play, Tricks] | None = None,
) -> ResultValues:
    """Return `{"matadors": side}` if the cards leave one side possible, else an empty mapping.

    If some sides are impossible, a violation is added to `problems` unless a possible one is stated. Raises
    `Refused` if the cards fit no deal, unless `problems` has violations already. `played` are the play and
    its tricks. Without matadors in the game or trump suit, nothing is checked.
    """
    trump = case.contract.trump
    matadors = case.rules.ranking.matadors(trump) if trump else 0
    if not matadors:
        return {}
    missing = cards_of(matadors & ~union(dealt.hands))
    lacks = _lacking(*played) if missing and played else (0,) * len(case.seats)
    sides = _sides(case, matadors, missing, dealt, lacks)
    if not sides and problems:
        return {}
    if not sides:
        message = say(
            "The unplayed cards fit no possible deal: a player who does not follow suit has none of it."
        )
        raise Refused([Violation("deal-against-tricks", message, {"field": "tricks"})])
    if len(sides) == 1:
        return {"matadors": sides[0]}
    if len(sides) < len(SIDES) and stated.matadors is None:
        message = say("Say which side was dealt all three matadors, or that they were split.")
        problems.append(Violation("matadors-missing", message, {"field": "matadors"}, sides))
    elif stated.matadors not in (None, *sides):
        problems.append(difference("matadors", sides, stated.matadors))
    return {}


def _sides(
    case: PlayedContract, matadors: int, missing: tuple[Card, ...], dealt: KnownDeal, lacks: Lacking
) -> tuple[str, ...]:
    """Return the `SIDES` that can have been dealt all matadors, and `split` if both can have some."""
    possible, side = set(), case.side
    for holders in product(range(len(case.seats)), repeat=len(missing)):
        hands = list(dealt.hands)
        for card, holder in zip(missing, holders, strict=True):
            hands[holder] |= BITS[card]
        if missing and not _is_possible(case, dealt, tuple(hands), lacks):
            continue
        own = union(hand for place, hand in enumerate(hands) if side >> place & 1) & matadors
        possible.add("split" if own not in (0, matadors) else "declarers" if own else "defenders")
    return tuple(name for name in SIDES if name in possible)


def _is_possible(
    case: PlayedContract, dealt: KnownDeal, hands: tuple[int, ...], lacks: Lacking
) -> bool:
    """Return whether these cards can have been dealt to these seats, with all others somewhere.

    The duties of the bidding must be met, and no seat may get a new card that it ``lacks``.
    """
    holdings = zip(hands, dealt.hands, lacks, strict=True)
    if any(new & ~old & lack for new, old, lack in holdings):
        return False
    if any(obligations(case, dealt._replace(hands=hands))):
        return False
    # Each set of seats must have room for the cards that nobody outside it can have (Hall).
    free = [case.rules.tricks - hand.bit_count() for hand in hands]
    places = range(len(hands))
    only = Counter(
        sum(1 << at for at in places if not lacks[at] & BITS[card])
        for card in cards_of(case.rules.pack.mask & ~union(hands))
    )
    return all(
        sum(count for seats, count in only.items() if not seats & ~subset)
        <= sum(free[at] for at in places if subset >> at & 1)
        for subset in range(1 << len(hands))
    )
