"""Hands of which every card is noted, read from the texts of their records: what their tricks tell.

It is what `engine.replay.replay` finds of the same hands, where cards tell no more of a contract than who
took what; by the same laws, but nothing is named that is wrong. Hands that are played with the same cards are
looked at together, which takes hardly longer than one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from engine.cards.card_sets import cards_of
from engine.cards.cards import Card, Pack
from engine.cards.ranking import Columns
from engine.cards.strips import number_of, set_of, strip_of
from engine.errors import Problems, Refused
from engine.phases.all_tricks import Played, play_all
from engine.phases.exchange import Trade
from engine.record import Contract
from engine.record.hand import KEYS
from engine.replay.deal import Known
from engine.replay.holdings import Situation, check_shape, hold_whole
from engine.replay.replay import forbidding
from engine.rules.bids import Bid, Undertaking
from engine.rules.card_points import Taken
from engine.rules.sheet import Rules

_read_exchange = KEYS["exchange"][1]
_hands, _widow, _leader, _cards = map(itemgetter, ("hands", "widow", "leader", "cards"))
_DICT, _LIST = frozenset({dict}), frozenset({list})
_ALIKE = b"\1" + bytes(255)
"""A table that makes 1 of no difference, and 0 of any other."""


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """What hands are played with that can be looked at together; it is equal to itself alone."""

    pack: Pack
    seats: int
    tricks: int
    columns: Columns


class Agreed(NamedTuple):
    """What auction and contract came to, by places, whoever sits there; nothing of it is to be refused.

    Without a `course` more follows from the cards than who took what; with one, `leader` leads first.
    """

    contract: Contract
    undertaking: Undertaking
    bidder: int
    partner: int | None
    leader: int
    course: Course | None


class Case(NamedTuple):
    """A hand, and what it is to be read by: who sits where, what was agreed, which card was called."""

    rules: Rules
    seats: tuple[str, ...]
    places: Mapping[str | None, int | None]
    agreed: Agreed
    called: Card | None
    hand: Mapping[str, Any]


class _Noted(NamedTuple):
    """The cards of hands in rows: as they were dealt, and the widows; as they were laid, and who led."""

    dealt: bytes
    widows: bytes
    laid: bytes
    leaders: list[str]


_course = lru_cache(maxsize=256)(Course)


def course_of(
    rules: Rules, seats: int, contract: Contract, bid: Bid, bidder: int
) -> tuple[Course | None, int]:
    """Say how a contract is played, and who leads first; no course where cards tell more than tricks."""
    trump = contract.trump or (bid.trumps[0] if bid.trumps else None)
    if (
        bid.has_partner
        or bid.slug == rules.all_pass
        or rules.cards_bind
        or (trump and rules.ranking.matadors(trump))
    ):
        return None, 0
    order, leader = rules.opening(bid, contract, seats, bidder)
    return _course(rules.pack, seats, rules.tricks, order.columns), leader


def read_whole(course: Course, cases: Sequence[Case]) -> list[Taken | None]:
    """Play hands to their end that were dealt in full; `None` for anything odd, be it well or not."""
    try:
        noted = _read(course, cases)
    except (KeyError, TypeError, ValueError):
        noted = None
    if noted is not None:
        return _play(course, cases, noted)
    half = len(cases) // 2  # so that only what is odd is left out
    return read_whole(course, cases[:half]) + read_whole(course, cases[half:]) if half else [None]


def _read(course: Course, cases: Sequence[Case]) -> _Noted | None:
    """Read what is written in the usual form; `None` or one of three errors where any of it is not."""
    deals, rows = [case.hand["deal"] for case in cases], [case.hand["tricks"] for case in cases]
    hands, tricks = [*map(_hands, deals)], [*chain.from_iterable(rows)]
    seats, count = course.seats, course.tricks
    if (
        {*map(type, deals), *map(type, hands), *map(type, tricks)} != _DICT
        or {*map(type, rows)} != _LIST
        or {*map(len, hands)} != {seats}
        or {*map(len, rows)} != {count}
        or {*map(len, tricks)} != {2}
    ):
        return None
    dealt = [hand[seat] for hand, case in zip(hands, cases, strict=True) for seat in case.seats]
    noted = {*map(len, deals)}
    widows = [*map(_widow, deals)] if noted == {2} else []
    laid = [*map(_cards, tricks)]
    spare = len(course.pack.cards) - seats * count
    if (
        (noted != {1} and {*map(len, widows)} != {3 * spare - 1})
        or {*map(len, dealt)} != {3 * count - 1}
        or {*map(len, laid)} != {3 * seats - 1}
    ):
        return None
    return _Noted(strip_of(dealt), strip_of(widows), strip_of(laid), [*map(_leader, tricks)])


def _play(course: Course, cases: Sequence[Case], noted: _Noted) -> list[Taken | None]:
    """Play hands out, and sort the tricks of each into the bidder's and the opponents'."""
    tricks, size = course.tricks, course.seats * course.tricks
    spare = len(course.pack.cards) - size
    held: list[_Held | None] = []
    for number, case in enumerate(cases):
        at, aside, trick = number * size, number * spare, number * tricks
        held.append(
            _hold(
                course,
                case,
                noted.dealt[at : at + size],
                noted.widows[aside : aside + spare],
                noted.laid[at : at + size],
                noted.leaders[trick : trick + tricks],
            )
        )
    nothing = _Held(bytes(tricks), bytes(size), bytes(size))
    leaders, cards, holders = map(b"".join, zip(*[each or nothing for each in held], strict=True))
    first = bytes([case.agreed.leader for case in cases])
    played = play_all(course.columns, course.seats, first, leaders, cards, holders)
    taken = _taken(course.pack, played, bytes([case.agreed.bidder for case in cases]))
    return [
        None if each is None or number in played.illegal else what
        for number, (each, what) in enumerate(zip(held, taken, strict=True))
    ]


class _Held(NamedTuple):
    """Of a hand who led each trick, its cards as they were laid, and the places that held them."""

    leaders: bytes
    cards: bytes
    holders: bytes


def _hold(
    course: Course, case: Case, dealt: bytes, widow: bytes, laid: bytes, leaders: list[str]
) -> _Held | None:
    """Say who held the cards of a hand as it was played; `None` unless each is there once, and moved well."""
    pack = course.pack.strip
    rest = pack.translate(None, dealt)
    if len(rest) + len(dealt) != len(pack) or (widow and rest.translate(None, widow)):
        return None
    try:
        led_by = bytes(map(case.places.__getitem__, leaders))  # type: ignore[arg-type]
        held = _exchanged(case, dealt, rest)
    except (KeyError, TypeError, Refused):
        return None
    if held is None or held.translate(None, laid):
        return None
    owners = _owners(course.seats, course.tricks)
    return _Held(led_by, laid, laid.translate(bytes.maketrans(held, owners)))


@lru_cache(maxsize=64)
def _owners(seats: int, tricks: int) -> bytes:
    """Say whose each card is, as they are dealt."""
    return b"".join([bytes((place,)) * tricks for place in range(seats)])


def _exchanged(case: Case, dealt: bytes, rest: bytes) -> bytes | None:
    """Give the hands as the play begins; `None` where it is not noted what changed hands."""
    rules, seats, _, (contract, (bid, *_), bidder, *_), called, hand = case
    exchange = hand.get("exchange")
    if bid.trade is None and called is None:
        return dealt if exchange is None else None
    if bid.trade is Trade.CALLED and called is None:
        return None
    problems: Problems = []
    stated: Any = None if exchange is None else _read_exchange(exchange, "exchange", problems)
    situation = Situation(rules, seats, bid, bidder, called, stated)
    size = len(dealt) // len(seats)
    hands = tuple([set_of(dealt[at : at + size]) for at in range(0, len(dealt), size)])
    known = Known(hands, set_of(rest), (1 << len(seats)) - 1, widow_sure=True)
    if problems or forbidding(situation, contract, known) is not None:
        return None
    if stated is not None:
        check_shape(situation, stated, len(rest))
    held = hold_whole(situation, known, None)
    return None if held is None else b"".join([bytes(cards_of(each)) for each in held.hands])


def _taken(pack: Pack, played: Played, bidders: bytes) -> list[Taken]:
    """Sort the tricks of hands that were played to their end into the bidder's and the opponents'."""
    hands, turns, taken_by, _ = played
    size = len(taken_by)
    tricks = size // hands
    worths = sum([number_of(turn.translate(pack.worth_of)) for turn in turns])
    differ = number_of(taken_by) ^ number_of(bidders * tricks)
    won = differ.to_bytes(size, "little").translate(_ALIKE)
    ours, both, total = (
        _in_all(worths & 255 * number_of(won), hands),
        _in_all(worths, hands),
        pack.total,
    )
    return [
        Taken(mine, every - mine, total - every, won[number::hands])
        for number, (mine, every) in enumerate(zip(ours, both, strict=True))
    ]


def _in_all(worths: int, hands: int) -> bytes:
    """Add up what each trick of each hand is worth; all cards of a pack are worth less than 256."""
    for tricks in (1, 2, 4, 8):
        worths += worths >> 8 * tricks * hands
    return (worths & (1 << 8 * hands) - 1).to_bytes(hands, "little")
