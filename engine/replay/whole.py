"""A hand of which every card is noted, read from the texts of its record: what its tricks tell.

It is what `engine.replay.replay` finds of the same hand, where cards tell no more of a contract than who took
what; by the same steps, but nothing is named that is wrong.
"""

from collections.abc import Mapping
from typing import Any

from engine.errors import Problems, Refused
from engine.phases.exchange import Trade
from engine.record import Contract
from engine.record.hand import KEYS
from engine.record.rows import texts_of
from engine.replay.deal import Known, read_texts
from engine.replay.holdings import Situation, check_shape, hold_whole
from engine.replay.replay import forbidding
from engine.replay.stated_result import side_takes
from engine.rules.aims import Result
from engine.rules.bids import Bid
from engine.rules.sheet import Rules

_read_exchange = KEYS["exchange"][1]


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
    rows, known = hand.get("tricks"), read_texts(rules, seats, hand.get("deal"))
    if known is None or type(rows) is not list or len(rows) != rules.tricks:
        return None
    try:
        leaders, cards = texts_of(rows, len(seats))
        hands = _exchanged(rules, seats, contract, bid, bidder, known, hand.get("exchange"))
        done = hands and rules.play(bid, contract, seats, bidder, hands).after_spelled(cards)
    except (KeyError, TypeError, ValueError, Refused):
        return None
    if not done or [seats[place] for place in done.leaders[:-1]] != leaders:
        return None
    taken = side_takes(rules, 1 << bidder, done, ended=True)
    return Result(**rules.tally.tell(bid, taken))  # type: ignore[arg-type]


def _exchanged(
    rules: Rules,
    seats: tuple[str, ...],
    contract: Contract,
    bid: Bid,
    bidder: int,
    known: Known,
    exchange: object,
) -> tuple[int, ...] | None:
    """Give the hands as the play begins; `None` where it is not noted what changed hands."""
    if bid.trade is None and contract.called is None:
        return known.hands if exchange is None else None
    if bid.trade is Trade.CALLED and contract.called is None:
        return None
    problems: Problems = []
    stated: Any = None if exchange is None else _read_exchange(exchange, "exchange", problems)
    case = Situation(rules, seats, bid, bidder, contract.called, stated)
    if problems or forbidding(case, contract, known) is not None:
        return None
    if stated is not None:
        check_shape(case, stated, known.widow.bit_count())
    held = hold_whole(case, known, None)
    return None if held is None else held.hands
