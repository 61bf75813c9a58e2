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

from engine.batch.all_tricks import Played, play_all
from engine.batch.strips import number_of, strip_of
from engine.cards.cards import SPELLINGS, Card, Pack
from engine.cards.dealing import WIDOW
from engine.cards.ranking import Columns
from engine.phases.exchange import Trade
from engine.record import Contract
from engine.rules.bids import Bid, Undertaking
from engine.rules.card_points import Taken
from engine.rules.sheet import Rules

_hands, _leader, _cards = map(itemgetter, ("hands", "leader", "cards"))
_DICT, _LIST = frozenset({dict}), frozenset({list})
_WITH_WIDOW_OR_NOT = ({1}, {2})
"""How many keys deals may have, all of them as many."""

_ALIKE = b"\1" + bytes(255)
"""A table that makes 1 of no difference, and 0 of any other."""


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """What hands are played with that can be looked at together; it is equal to itself alone."""

    pack: Pack
    seats: int
    tricks: int
    columns: Columns

    @property
    def spare(self) -> int:
        """How many cards no seat is dealt."""
        return len(self.pack.cards) - self.seats * self.tricks


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


_Noted = tuple[bytes, bytes, bytes, list[str]]
"""What is noted of a hand: its cards as they were dealt, in the widow, and as they were laid; and who led."""

_Held = tuple[bytes, bytes, bytes]
"""A hand as it was played: who led each trick, its cards in turn, and the places that held them."""

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


def _read(course: Course, cases: Sequence[Case]) -> list[_Noted] | None:
    """Read what is written in the usual form; `None` or one of three errors where any of it is not."""
    deals, rows = [case.hand["deal"] for case in cases], [case.hand["tricks"] for case in cases]
    hands, tricks = [*map(_hands, deals)], [*chain.from_iterable(rows)]
    seats, count, number = course.seats, course.tricks, len(cases)
    if (
        {*map(type, deals), *map(type, hands), *map(type, tricks)} != _DICT
        or {*map(type, rows)} != _LIST
        or {*map(len, hands)} != {seats}
        or {*map(len, deals)} not in _WITH_WIDOW_OR_NOT
        or {*map(len, rows)} != {count}
        or {*map(len, tricks)} != {2}
    ):
        return None
    widows = [deal["widow"] for deal in deals if len(deal) > 1]
    dealt = [hand[seat] for hand, case in zip(hands, cases, strict=True) for seat in case.seats]
    aside = strip_of(widows, course.spare) if widows else b""
    laid, leaders = strip_of([*map(_cards, tricks)], seats), [*map(_leader, tricks)]
    noted = strip_of(dealt, count), aside, laid, leaders
    return [*zip(*[_parted(row, number) for row in noted], strict=True)]


def _parted(row: Any, hands: int) -> list[Any]:
    """Part a row into those of so many hands."""
    size = len(row) // hands
    return [row[at * size : at * size + size] for at in range(hands)]


def _play(course: Course, cases: Sequence[Case], noted: Sequence[_Noted]) -> list[Taken | None]:
    """Play hands out, and sort the tricks of each into the bidder's and the opponents'."""
    pack, seats, tricks = course.pack, course.seats, course.tricks
    owners = _owners(seats, tricks)
    held = [_hold(pack.strip, owners, case, *each) for case, each in zip(cases, noted, strict=True)]
    nothing = bytes(tricks), bytes(len(owners)), bytes(len(owners))
    leaders, cards, holders = map(b"".join, zip(*[each or nothing for each in held], strict=True))
    agreed = [case.agreed for case in cases]
    first, bidders = (
        bytes([each.leader for each in agreed]),
        bytes([each.bidder for each in agreed]),
    )
    played = play_all(course.columns, seats, first, leaders, cards, holders)
    return [
        None if each is None or number in played.illegal else taken
        for number, (each, taken) in enumerate(
            zip(held, _taken(pack, played, bidders), strict=True)
        )
    ]


def _hold(
    pack: bytes,
    owners: bytes,
    case: Case,
    dealt: bytes,
    widow: bytes,
    laid: bytes,
    leaders: list[str],
) -> _Held | None:
    """Say who held the cards of a hand as it was played; `None` unless each is there once, and moved well."""
    rest = pack.translate(None, dealt)
    if len(rest) + len(dealt) != len(pack) or (widow and rest.translate(None, widow)):
        return None
    try:
        led_by = bytes([*map(case.places.__getitem__, leaders)])  # type: ignore[list-item]
        held = _exchanged(case, dealt, rest)
    except (KeyError, TypeError, ValueError):
        return None
    if held is None or held.translate(None, laid):
        return None
    return led_by, laid, laid.translate(bytes.maketrans(held, owners))


@lru_cache(maxsize=64)
def _owners(seats: int, tricks: int) -> bytes:
    """Say whose each card is, as they are dealt."""
    return b"".join([bytes((place,)) * tricks for place in range(seats)])


def _exchanged(case: Case, dealt: bytes, rest: bytes) -> bytes | None:
    """Give the hands as the play begins; `None` unless what changed hands is noted in full."""
    bid, called, exchange = case.agreed.undertaking.bid, case.called, case.hand.get("exchange")
    if bid.trade is None and called is None and exchange is None:
        return dealt
    if exchange is not None and type(exchange) is not dict:
        return None
    if called is not None and bid.trade is Trade.CALLED and bid.calls and not bid.calls.then:
        # Which card may be called depends on no other card that the bidder holds.
        return _given(case, called, dealt, rest, exchange)
    if called is None and bid.trade is Trade.WIDOW and exchange is not None:
        return _laid_away(case, dealt, rest, exchange)
    return None


def _given(
    case: Case, called: Card, dealt: bytes, rest: bytes, exchange: dict[str, Any] | None
) -> bytes | None:
    """Let who holds a called card give it for one that the bidder then has; none where it is the widow's."""
    bidder = case.agreed.bidder
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
