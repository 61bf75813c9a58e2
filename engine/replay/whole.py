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

from engine.cards.cards import SPELLINGS, Card, Pack
from engine.cards.dealing import WIDOW
from engine.cards.ranking import Columns
from engine.cards.strips import number_of, strip_of
from engine.phases.all_tricks import Played, play_all
from engine.phases.exchange import Trade
from engine.record import Contract
from engine.rules.bids import Bid, Undertaking
from engine.rules.card_points import Taken
from engine.rules.sheet import Rules

_hands, _leader, _cards = map(itemgetter, ("hands", "leader", "cards"))
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
        or not {*map(len, deals)} <= {1, 2}
        or {*map(len, rows)} != {count}
        or {*map(len, tricks)} != {2}
    ):
        return None
    dealt = [hand[seat] for hand, case in zip(hands, cases, strict=True) for seat in case.seats]
    widows = [deal["widow"] for deal in deals if len(deal) > 1]
    if len(widows) not in (0, len(cases)):
        return None
    return _Noted(
        strip_of(dealt, count),
        strip_of(widows, len(course.pack.cards) - seats * count) if widows else b"",
        strip_of([*map(_cards, tricks)], seats),
        [*map(_leader, tricks)],
    )


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
    except (KeyError, TypeError, ValueError):
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
    """Give the hands as the play begins; `None` unless what changed hands is noted in full."""
    trade, called, exchange = (
        case.agreed.undertaking.bid.trade,
        case.called,
        case.hand.get("exchange"),
    )
    if trade is None and called is None and exchange is None:
        return dealt
    if exchange is not None and type(exchange) is not dict:
        return None
    if trade is Trade.CALLED and called is not None:
        return _given(case, called, dealt, rest, exchange)
    if trade is Trade.WIDOW and called is None and exchange is not None:
        return _laid_away(case, dealt, rest, exchange)
    return None


def _given(
    case: Case, called: Card, dealt: bytes, rest: bytes, exchange: dict[str, Any] | None
) -> bytes | None:
    """Let who holds a called card give it for one that the bidder then has; none where it is the widow's."""
    bid, bidder = case.agreed.undertaking.bid, case.agreed.bidder
    if bid.calls is None or bid.calls.then:  # which card may be called depends on those held
        return None
    if called in rest:
        return dealt if exchange in (None, {"from": WIDOW}) else None
    if exchange is None or len(exchange) != 2:
        return None
    giver, back = case.places[exchange["from"]], SPELLINGS[exchange["returned"]]
    given_by, returned_by = [dealt.index(card) // case.rules.tricks for card in (called, back)]
    if giver == bidder or given_by != giver or (returned_by != bidder and back is not called):
        return None
    return dealt.translate(bytes.maketrans(bytes((called, back)), bytes((back, called))))


def _laid_away(case: Case, dealt: bytes, widow: bytes, exchange: dict[str, Any]) -> bytes | None:
    """Let the bidder take the widow up and lay as many cards away, all of which are noted."""
    if len(exchange) != 2:
        return None
    took, laid = [strip_of([exchange[key]], len(widow)) for key in ("took", "discarded")]
    size = case.rules.tricks
    at = case.agreed.bidder * size
    held = (dealt[at : at + size] + widow).translate(None, laid)
    if len(held) != size or widow.translate(None, took):
        return None
    return dealt[:at] + held + dealt[at + size :]


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
