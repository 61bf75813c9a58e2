"""The parts of a hand record that are tables or lists of their own, as frozen values.

A table for each says which keys it has, by which attribute, and how they are read; `written` and `plain`
write by the same tables what was read, cards as one string.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from engine.cards.cards import Card, Suit, write_cards
from engine.errors import Problems
from engine.record import reading
from engine.record.reading import At, Fields, Reader
from engine.record.shaping import build, of_result, rows_of

HEARTLESS = 3
"""So many deals in a row without a heart, and the player under is passed over (002)."""

PASS = "pass"  # noqa: S105 - the call, no secret


class Contract(NamedTuple):
    """What was played: whatever follows from the rest may be left out.

    `bid` is a slug or `pass` where all passed. `alone` is true when the caller called a card of their
    own. `doubled`, `redoubled` and `announced_tout` belong to progressive and german-solo.
    """

    bidder: str | None = None
    bid: str | None = None
    trump: Suit | None = None
    called: Card | None = None
    partner: str | None = None
    alone: bool | None = None
    doubled: tuple[str, ...] | None = None
    redoubled: tuple[str, ...] | None = None
    announced_tout: bool | None = None

    def to_mapping(self) -> dict[str, object]:
        """Write the keys that are there."""
        return written(self, CONTRACT)


@dataclass(frozen=True, slots=True)
class Deal:
    """The hands as dealt, and the widow; `None` stands for a card that nobody noted."""

    hands: Mapping[str, tuple[Card | None, ...]] | None = None
    widow: tuple[Card | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class Spit:
    """Crazy-solo's first deal: the order of the cards, and who showed and drew which."""

    order: tuple[tuple[str, Card], ...] | None = None
    drawn: tuple[tuple[str, Card, Card], ...] | None = None


class Call(NamedTuple):
    """One call of the auction; `doubler` names the seat that a `redouble` answers."""

    seat: str
    call: str
    doubler: str | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """Cards that changed hands: frog's `took` and `discarded`; call solo's giver and returned card.

    `giver` is the record's `from`: a seat, or `widow` when the called card lay there.
    """

    took: tuple[Card, ...] | None = None
    discarded: tuple[Card, ...] | None = None
    giver: str | None = None
    returned: Card | None = None


class Trick(NamedTuple):
    """The cards of one trick in the order played."""

    cards: tuple[Card, ...]
    leader: str | None = None


@dataclass(frozen=True, slots=True)
class Pots:
    """What progressive's two pots hold: in a record before the antes, in a verdict after the hand."""

    frog: int
    solo: int

    def to_mapping(self) -> dict[str, object]:
        """Write the keys that are there."""
        return written(self, POTS)


class BlindRound(NamedTuple):
    """The blind round that a hand of crazy-solo is part of: whoever leads it is under (002).

    `done` have been under in it or were passed over. `heartless` deals in a row whoever is under has had
    without a heart.
    """

    done: tuple[str, ...] = ()
    heartless: int = 0

    def to_mapping(self) -> dict[str, object]:
        """Write the keys that are there."""
        return written(self, BLIND_ROUND)


def _hands(
    value: object, at: At, problems: Problems
) -> dict[str, tuple[Card | None, ...] | None] | None:
    table = reading.mapping(value, at, problems)
    if table is None:
        return None
    return {seat: reading.dealt_cards(held, (at, seat), problems) for seat, held in table.items()}


CONTRACT: Fields = {
    "bidder": ("bidder", reading.text),
    "bid": ("bid", reading.bid),
    "trump": ("trump", reading.suit),
    "called": ("called", reading.card),
    "partner": ("partner", reading.text),
    "alone": ("alone", reading.flag),
    "doubled": ("doubled", reading.names),
    "redoubled": ("redoubled", reading.names),
    **of_result(in_contract=True),
}
DEAL: Fields = {
    "hands": ("hands", _hands),
    "widow": ("widow", reading.dealt_cards),
}
SPIT: Fields = {
    "order": ("order", rows_of(reading.text, reading.card)),
    "drawn": ("drawn", rows_of(reading.text, reading.card, reading.card)),
}
EXCHANGE: Fields = {
    "took": ("took", reading.cards),
    "discarded": ("discarded", reading.cards),
    "from": ("giver", reading.text),
    "returned": ("returned", reading.card),
}
TRICK: Fields = {
    "leader": ("leader", reading.text),
    "cards": ("cards", reading.cards),
}


def _heartless(value: object, at: At, problems: Problems) -> int | None:
    count = reading.whole(value, at, problems)
    if count is None or 0 <= count < HEARTLESS:
        return count
    reading.wrong(problems, at, count, "0, 1 or 2: at the third such deal a player is passed over")
    return None


BLIND_ROUND: Fields = {
    "done": ("done", reading.names),
    "heartless": ("heartless", _heartless),
}
POTS: Fields = {
    "frog": ("frog", reading.whole),
    "solo": ("solo", reading.whole),
}
FIELDS: Mapping[type, Fields] = {
    Contract: CONTRACT,
    Deal: DEAL,
    Spit: SPIT,
    Exchange: EXCHANGE,
    Trick: TRICK,
    Pots: POTS,
    BlindRound: BLIND_ROUND,
}
"""The keys of each part, in the order in which they are written."""

SAY_NOTHING_EMPTY = ("options", "done", "heartless")
"""Keys that are left out where they hold nothing, as those are that are not known."""


def reader_of(part: type, *required: str) -> Reader:
    """Make the reader of a part, in which some keys may be required."""
    fields = FIELDS[part]

    def read(value: object, at: At, problems: Problems) -> object:
        return build(part, value, at, fields, problems, required)

    return read


_read_blind_round = reader_of(BlindRound)


def read_blind_round(value: object, at: At, problems: Problems) -> object:
    """Read a blind round; `false` says that there is none."""
    return None if value is False else _read_blind_round(value, at, problems)


def written(part: object, fields: Fields) -> dict[str, object]:
    """Write the keys of a record, or of a part of one, that are there."""
    return {
        key: _WRITERS.get(reader, plain)(value)
        for key, (attribute, reader) in fields.items()
        if (value := getattr(part, attribute)) is not None
        and (value or key not in SAY_NOTHING_EMPTY)
    }


def plain(value: object) -> object:
    """Write a value as the plain one that a record holds."""
    fields = FIELDS.get(type(value))
    if fields is not None:
        return written(value, fields)
    if isinstance(value, Card | Suit):
        return str(value)
    if isinstance(value, tuple):  # a call says its doubler only where there is one
        return [plain(item) for item in value if item is not None]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return reading.write_moment(value) if isinstance(value, datetime) else value


def _write_hands(hands: Mapping[str, tuple[Card | None, ...]]) -> dict[str, str]:
    return {seat: write_cards(held) for seat, held in hands.items()}


_WRITERS: Mapping[Reader, Callable[[Any], object]] = {
    reading.cards: write_cards,
    reading.dealt_cards: write_cards,
    _hands: _write_hands,
}
