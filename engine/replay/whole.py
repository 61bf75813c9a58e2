"""A hand of which every card is noted, read from the texts of its record: what its tricks tell.

It is what `engine.replay.replay` finds of the same hand, where cards tell no more of a contract than who took
what; by the same laws, but nothing is named that is wrong.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import compress
from typing import Any, NamedTuple

from engine.cards.card_sets import cards_of
from engine.cards.ranking import PLACES
from engine.cards.strips import set_of, strip_of
from engine.errors import Problems, Refused
from engine.phases.all_tricks import winners
from engine.phases.exchange import Trade
from engine.record import Contract
from engine.record.hand import KEYS
from engine.replay.deal import Known
from engine.replay.holdings import Situation, check_shape, hold_whole
from engine.replay.replay import forbidding
from engine.rules.aims import Result
from engine.rules.bids import Bid
from engine.rules.card_points import Taken
from engine.rules.sheet import Rules

_read_exchange = KEYS["exchange"][1]
_DICT = frozenset({dict})
_HIS = tuple(bytes(place == his for place in range(256)) for his in range(PLACES))
"""Tables that say of places whether they are a bidder's."""


class Noted(NamedTuple):
    """The cards of a hand in rows: as dealt to each seat, in the widow, and as played; and who led."""

    hands: tuple[bytes, ...]
    widow: bytes
    leaders: list[str]
    cards: bytes


def tells_only_tricks(rules: Rules, bid: Bid, contract: Contract) -> bool:
    """Whether the cards tell no more of a contract than who took what, and that all was legal."""
    trump = contract.trump or (bid.trumps[0] if bid.trumps else None)
    return not (
        bid.has_partner
        or bid.slug == rules.all_pass
        or rules.cards_bind
        or (trump and rules.ranking.matadors(trump))
    )


def read_whole(
    rules: Rules,
    seats: tuple[str, ...],
    contract: Contract,
    bid: Bid,
    bidder: int,
    hand: Mapping[str, Any],
) -> Result | None:
    """Play a hand to its end that was dealt in full; `None` for anything odd, be it well or not."""
    try:
        noted = _read(rules, seats, hand.get("deal"), hand.get("tricks"))
        if noted is None:
            return None
        hands = _exchanged(rules, seats, contract, bid, bidder, noted, hand.get("exchange"))
    except (KeyError, TypeError, ValueError, Refused):
        return None
    order, leader = rules.opening(bid, contract, len(seats), bidder)
    led_by = hands and winners(order.columns, leader, hands, noted.cards)
    if not led_by or [seats[place] for place in led_by[:-1]] != noted.leaders:
        return None
    taken = _taken(rules, bidder, led_by[1:], noted.cards)
    return Result(**rules.tally.tell(bid, taken))  # type: ignore[arg-type]


def _read(rules: Rules, seats: tuple[str, ...], deal: object, rows: object) -> Noted | None:
    """Read deal and tricks, each card of the pack once; `None` or one of four errors for anything odd."""
    if (
        type(rows) is not list
        or {*map(type, rows)} != _DICT
        or sum(map(len, rows)) != 2 * len(rows)
    ):
        return None
    if type(deal) is not dict or type(hands := deal["hands"]) is not dict:
        return None
    count, widow = len(seats), deal.get("widow")
    if len(hands) != count or len(deal) != 1 + (widow is not None):
        return None
    texts = [hands[seat] for seat in seats]
    if widow is not None:
        texts.append(widow)
    texts += [row["cards"] for row in rows]
    size, spare = rules.tricks, len(rules.pack.cards) - rules.tricks * count
    if [*map(len, texts)] != _lengths(count, size, 0 if widow is None else spare):
        return None
    strip, end = strip_of(texts), size * count
    rest = rules.pack.strip.translate(None, strip[:end])
    if len(rest) != spare or (widow is not None and rest.translate(None, strip[end:-end])):
        return None
    dealt = tuple([strip[at : at + size] for at in range(0, end, size)])
    return Noted(dealt, rest, [row["leader"] for row in rows], strip[-end:])


@lru_cache(maxsize=256)
def _lengths(count: int, tricks: int, widow: int) -> list[int]:
    """How long the texts are of so many hands, the widow if it is noted, and as many tricks."""
    spaced = [tricks] * count + [widow] * bool(widow) + [count] * tricks
    return [3 * cards - 1 for cards in spaced]


def _exchanged(
    rules: Rules,
    seats: tuple[str, ...],
    contract: Contract,
    bid: Bid,
    bidder: int,
    noted: Noted,
    exchange: object,
) -> tuple[bytes, ...] | None:
    """Give the hands as the play begins; `None` where it is not noted what changed hands."""
    if bid.trade is None and contract.called is None:
        return noted.hands if exchange is None else None
    if bid.trade is Trade.CALLED and contract.called is None:
        return None
    problems: Problems = []
    stated: Any = None if exchange is None else _read_exchange(exchange, "exchange", problems)
    case = Situation(rules, seats, bid, bidder, contract.called, stated)
    sure, widow = (1 << len(seats)) - 1, set_of(noted.widow)
    known = Known(tuple(map(set_of, noted.hands)), widow, sure, widow_sure=True)
    if problems or forbidding(case, contract, known) is not None:
        return None
    if stated is not None:
        check_shape(case, stated, len(noted.widow))
    held = hold_whole(case, known, None)
    if held is None:
        return None
    moved = zip(noted.hands, known.hands, held.hands, strict=True)
    return tuple([hand if was == now else bytes(cards_of(now)) for hand, was, now in moved])


def _taken(rules: Rules, bidder: int, taken_by: bytes, cards: bytes) -> Taken:
    """Sort the tricks of a hand that was played to its end into the bidder's and the opponents'."""
    pack, won, size = rules.pack, taken_by.translate(_HIS[bidder]), len(cards) // len(taken_by)
    worths, of_tricks = cards.translate(pack.worth_of), bytearray(len(cards))
    for at in range(size):
        of_tricks[at::size] = won
    ours, everything = sum(compress(worths, of_tricks)), sum(worths)
    return Taken(ours, everything - ours, pack.total - everything, won)
