"""Checks whether a recorded deal is possible.

Each active seat must have as many cards as the game deals, the widow the rest, and each card of the pack must
appear once.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.cards.card_sets import BITS
from engine.cards.cards import CARDS, Card
from engine.cards.dealing import WIDOW
from engine.errors import Problems, Violation
from engine.record import Deal
from engine.rules.sheet import Rules
from engine.words.sentences import say

_bit_of: Callable[[Any], int] = dict(zip(CARDS, BITS, strict=True)).__getitem__


class KnownDeal(NamedTuple):
    """The known cards of a deal: a set (bits) for each seat from eldest hand, and the widow's.

    `sure` has a bit for each seat whose hand is known in full; `widow_sure` is true if the widow is.
    """

    hands: tuple[int, ...]
    widow: int
    sure: int
    widow_sure: bool

    @property
    def complete(self) -> bool:
        """Whether every hand is known in full."""
        return self.sure == (1 << len(self.hands)) - 1


def nothing_known(count: int) -> KnownDeal:
    """Return the deal of `count` seats of which no card is known."""
    return KnownDeal((0,) * count, 0, 0, False)


def holder_of(card: Card | None, seats: tuple[str, ...], hands: tuple[int, ...]) -> str | None:
    """Return the first seat whose hand (bits) has the card; `None` if no hand has it, or for no card."""
    bit = 0 if card is None else BITS[card]
    return next((seat for seat, hand in zip(seats, hands, strict=True) if hand & bit), None)


def read_deal(
    rules: Rules, seats: tuple[str, ...], deal: Deal, problems: Problems
) -> KnownDeal | None:
    """Check a recorded deal, and return its known cards; `None` if it is refused.

    A refused deal adds its violations to `problems`. Cards that follow are derived: a widow or one hand that
    is not known gets the rest of the pack.
    """
    hands, size = deal.hands or {}, rules.tricks
    if len(hands) == len(seats):
        masks = tuple([_complete_set(hands.get(seat, ()), size) for seat in seats])
        widow = None if deal.widow is None else _complete_set(deal.widow, rules.widow_size)
        complete = _complete_deal(rules, masks, widow)
        if complete is not None:
            return complete
    return _read_partly(rules, seats, deal, problems)


def _complete_deal(rules: Rules, masks: tuple[int, ...], widow: int | None) -> KnownDeal | None:
    """Return a deal of complete hands, or `None` unless they and the widow make up the pack.

    A widow that is not recorded has the rest of the cards.
    """
    count, total, pack = len(masks), sum(masks), rules.pack.mask
    # A sum of so many powers of two has as many bits only when each is there once.
    if -1 in masks or total & ~pack or total.bit_count() != rules.tricks * count:
        return None
    rest = pack ^ total
    return KnownDeal(masks, rest, (1 << count) - 1, True) if widow in (None, rest) else None


def _complete_set(cards: tuple[Card | None, ...], size: int) -> int:
    """Return the set (bits) of the cards; -1 if one is unknown or there are not `size` of them."""
    if len(cards) != size:
        return -1
    try:
        return sum(map(_bit_of, cards))
    except KeyError:  # an unknown card has no bit
        return -1


def _read_partly(
    rules: Rules, seats: tuple[str, ...], deal: Deal, problems: Problems
) -> KnownDeal | None:
    """Return a deal checked place by place; `None` if it is refused, with violations in `problems`.

    It is used if cards are unknown or wrong. If only the widow or only one hand is unknown, it gets the rest
    of the pack.
    """
    before = len(problems)
    places: dict[str, tuple[Card | None, ...]] = dict(deal.hands or {})
    size, spare = rules.tricks, rules.widow_size
    for seat in tuple(places):
        if seat not in seats:
            message = say("{seat} sat out this hand and was dealt no cards.", seat=seat)
            where = {"field": f"deal.hands.{seat}", "seat": seat}
            problems.append(Violation("dealt-to-idle", message, where, seats))
            del places[seat]
    if deal.widow is not None:
        places[WIDOW] = deal.widow
    holders: dict[Card, str] = {}
    for name, cards in places.items():
        _check_place(rules, name, cards, size if name != WIDOW else spare, problems)
        for card in cards:
            if card is not None:
                _check_once(name, card, holders, problems)
    if len(problems) > before:
        return None
    masks, sure = [], 0
    for place, seat in enumerate(seats):
        cards = places.get(seat, (None,))
        masks.append(sum(BITS[card] for card in cards if card is not None))
        sure |= (None not in cards) << place
    cards = places.get(WIDOW, (None,))
    widow = sum(BITS[card] for card in cards if card is not None)
    if sure == (1 << len(seats)) - 1:
        widow = rules.pack.mask & ~sum(masks)
    elif widow.bit_count() == spare and (~sure & (1 << len(seats)) - 1).bit_count() == 1:
        # Everything but one hand is known, and so that hand is, too.
        unsure = (~sure & (1 << len(seats)) - 1).bit_length() - 1
        others = sum(mask for place, mask in enumerate(masks) if place != unsure)
        masks[unsure] = rules.pack.mask & ~others & ~widow
        sure |= 1 << unsure
    return KnownDeal(tuple(masks), widow, sure, widow.bit_count() == spare)


def _check_place(
    rules: Rules, name: str, cards: tuple[Card | None, ...], size: int, problems: Problems
) -> None:
    """Add violations for more or fewer cards than `size`, and for cards that are not in the pack."""
    field = _field(name)
    if len(cards) != size:
        message = say(
            "{n:card is|cards are} recorded for {place}; {size} {size:~is|are} dealt there (write ? for an"
            " unknown one).",
            n=len(cards),
            place=_holder(name),
            size=size,
        )
        problems.append(Violation("deal-size", message, {"field": field}))
    for card in cards:
        if card is not None and card not in rules.pack.cards:
            message = say("{card} is not in the pack for {n} players.", card=card, n=rules.seats)
            where = {"field": field, "card": str(card)}
            problems.append(Violation("card-not-in-pack", message, where))


def _check_once(name: str, card: Card, holders: dict[Card, str], problems: Problems) -> None:
    """Add a violation if a card was already dealt; else record its place in `holders`."""
    if card not in holders:
        holders[card] = name
        return
    message = say(
        "{card} was dealt twice: to {first} and to {second}.",
        card=card,
        first=_holder(holders[card]),
        second=_holder(name),
    )
    where = {"field": _field(name), "card": str(card)}
    problems.append(Violation("card-dealt-twice", message, where))


def _field(name: str) -> str:
    return "deal.widow" if name == WIDOW else f"deal.hands.{name}"


def _holder(name: str) -> str:
    return say("the widow") if name == WIDOW else name
