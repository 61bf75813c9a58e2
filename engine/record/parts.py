"""The nested parts of a hand record, as frozen values.

The fields of a part define its keys and, by their types, how these are parsed; `to_keys` and `plain` write
them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from inspect import signature
from itertools import islice
from types import NoneType
from typing import Any, NamedTuple, cast, get_args, get_type_hints

from engine.cards.cards import SPELLINGS, Card, Suit, write_cards
from engine.errors import Problems
from engine.record import reading, spelling
from engine.record.incidents import (
    MOST_IRREGULAR,
    MOST_TRANSFERS,
    SETTLED,
    WHAT,
    Claim,
    Irregularity,
    Spread,
    Transfer,
)
from engine.record.reading import At, Keys, Reader, at_least
from engine.record.results import RESULT
from engine.record.seats import MOST
from engine.words.sentences import say

MOST_TRICKS = 36
"""The most tricks of a record: one for each card."""

HEARTLESS = 3
"""The number of deals in a row without a heart after which the player under is passed over (002)."""

PASS = "pass"  # noqa: S105 - the call, no secret


class Contract(NamedTuple):
    """The contract of a hand; keys that follow from others may be left out.

    `bid` is a slug, or `pass` if all passed. `alone` means that the caller called an own card. `doubled`,
    `redoubled` and `announced_tout` belong to progressive and german-solo.
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
        """Return the keys that have values, with cards and suits as text."""
        return to_keys(self, FIELDS[type(self)])


class Deal(NamedTuple):
    """The dealt hands and the widow; `None` stands for an unknown card."""

    hands: Mapping[str, tuple[Card | None, ...]] | None = None
    widow: tuple[Card | None, ...] | None = None


class Spit(NamedTuple):
    """Crazy-solo's first deal: the cards in order, and the cards that were shown and drawn instead."""

    order: tuple[tuple[str, Card], ...] | None = None
    drawn: tuple[tuple[str, Card, Card], ...] | None = None


class Call(NamedTuple):
    """One call of the auction; `doubler` names the seat that a `redouble` answers."""

    seat: str
    call: str
    doubler: str | None = None


class Exchange(NamedTuple):
    """Exchanged cards: frog's `took` and `discarded`; call solo's giver and returned card.

    `giver` is the record's `from`: a seat, or `widow` if the called card was there.
    """

    took: tuple[Card, ...] | None = None
    discarded: tuple[Card, ...] | None = None
    giver: str | None = None
    returned: Card | None = None


class Trick(NamedTuple):
    """The cards of one trick in the order played, `None` for an unknown one, and its leader, if recorded."""

    cards: tuple[Card | None, ...]
    leader: str | None = None


@dataclass(frozen=True, slots=True)
class Tricks(Sequence[Trick]):
    """The tricks of a hand: all cards in the order played, and the size and leader of each trick.

    `gap` is the number of cards before the first unknown one; `None` if all are known. `excused` are cards
    that broke a rule and that the table let stand, each with the seat that led it out of turn, or `None`.

    >>> six, seven, ace = map(Card.parse, ("6S", "7S", "AS"))
    >>> tricks = Tricks.of([Trick((six, ace), "Ann"), Trick((seven,))])
    >>> tricks.cards, tricks.sizes, tricks[1]
    ((6S, AS, 7S), (2, 1), Trick(cards=(7S,), leader=None))
    """

    cards: tuple[Card | None, ...]
    sizes: tuple[int, ...]
    leaders: tuple[str | None, ...]
    gap: int | None = None
    excused: tuple[tuple[Card, str | None], ...] = ()

    @classmethod
    def of(cls, tricks: Sequence[Trick]) -> "Tricks":
        """Build from a sequence of tricks; return `Tricks` unchanged."""
        if isinstance(tricks, cls):
            return tricks
        cards = tuple([card for trick in tricks for card in trick.cards])
        sizes = tuple([len(trick.cards) for trick in tricks])
        gap = cards.index(None) if None in cards else None
        return cls(cards, sizes, tuple([trick.leader for trick in tricks]), gap)

    @property
    def played(self) -> tuple[Card, ...]:
        """The cards before the first unknown one."""
        return self.cards[: self.gap]  # type: ignore[return-value]  # as `gap` is before the first None

    def __len__(self) -> int:
        return len(self.sizes)

    def __iter__(self) -> Iterator[Trick]:
        rest = iter(self.cards)
        for size, leader in zip(self.sizes, self.leaders, strict=True):
            yield Trick(tuple(islice(rest, size)), leader)

    def __getitem__(self, place: Any) -> Any:
        return tuple(self)[place]


class Pots(NamedTuple):
    """The contents of progressive's two pots: in a record before the antes, in a verdict after the hand."""

    frog: int
    solo: int

    def to_mapping(self) -> dict[str, object]:
        """Return both contents by their keys."""
        return to_keys(self, FIELDS[type(self)])


class BlindRound(NamedTuple):
    """The blind round of a crazy-solo hand, whose lead is under (002).

    `done` are the players who have been under or were passed over, `heartless` the number of deals in a row
    without a heart for the player who is under.
    """

    done: tuple[str, ...] = ()
    heartless: int = 0

    def to_mapping(self) -> dict[str, object]:
        """Return the keys that are not empty or 0."""
        return to_keys(self, FIELDS[type(self)])


def _hands(
    value: object, at: At, problems: Problems
) -> dict[str, tuple[Card | None, ...] | None] | None:
    table = reading.mapping(value, at, problems, MOST)
    if table is None:
        return None
    return {seat: spelling.dealt_cards(hand, (at, seat), problems) for seat, hand in table.items()}


def _heartless(value: object, at: At, problems: Problems) -> int | None:
    count = reading.integer(value, at, problems)
    if count is None or 0 <= count < HEARTLESS:
        return count
    expected = say("0, 1 or 2: at the third such deal a player is passed over")
    reading.wrong(problems, at, count, expected)
    return None


READERS: Mapping[object, Reader] = {
    str: reading.text,
    int: reading.integer,
    bool: reading.flag,
    Suit: spelling.suit,
    Card: spelling.card,
    datetime: reading.moment,
    tuple[str, ...]: reading.names,
    tuple[Card, ...]: spelling.cards,
    tuple[Card | None, ...]: spelling.dealt_cards,
    Mapping[str, tuple[Card | None, ...]]: _hands,
    tuple[tuple[str, Card], ...]: spelling.rows_of(reading.text, spelling.card),
    tuple[tuple[str, Card, Card], ...]: spelling.rows_of(
        reading.text, spelling.card, spelling.card
    ),
}
"""The reader of each type of field."""

SPELLED = {"giver": "from", "payer": "from", "payee": "to"}
"""The keys that are not named like their fields: `from` is a reserved word in Python."""

OPTIONAL_IF_EMPTY = ("options", "done", "heartless")
"""Keys that are not written if they are empty."""


def keys_of(part: type, *first: str, **readers: Reader) -> Keys:
    """Build the keys of a record or part from its fields, beginning with those named `first`.

    The reader of a field is that in `readers`, else that for its type or for the words of a result key. A
    field without a default is required.
    """
    fields, types = signature(part).parameters, get_type_hints(part)

    def reader(name: str) -> Reader:
        kind = types[name]
        if NoneType in get_args(kind):
            kind = get_args(kind)[0]
        words = RESULT[name].words if name in RESULT else ()
        return reading.one_of(*words) if words else READERS.get(kind) or reader_of(kind)

    keys = Keys(
        (SPELLED.get(name, name), (name, readers.get(name) or reader(name)))
        for name in dict.fromkeys((*first, *fields))
    )
    keys.required = tuple(
        SPELLED.get(name, name)
        for name, parameter in fields.items()
        if parameter.default is parameter.empty
    )
    return keys


def reader_of(part: type) -> Reader:
    """Return the reader of a part; it adds a violation for each invalid key, and then returns `None`."""
    keys = FIELDS[part]

    def read(value: object, at: At, problems: Problems) -> object:
        before = len(problems)
        values = reading.fields(value, at, keys, problems)
        return None if len(problems) > before else part(**(values or {}))

    return read


FIELDS: dict[type, Keys] = {
    Contract: keys_of(Contract, bid=spelling.bid),
    Deal: keys_of(Deal),
    Spit: keys_of(Spit),
    Exchange: keys_of(Exchange),
    Trick: keys_of(Trick, "leader"),
    Pots: keys_of(Pots),
    BlindRound: keys_of(BlindRound, heartless=_heartless),
    Claim: keys_of(Claim, after=at_least(0), tricks=at_least(0), points=at_least(0)),
    Spread: keys_of(Spread),
    Transfer: keys_of(Transfer, amount=at_least(1)),
}
"""The keys of each part, in the order in which they are written."""

FIELDS[Irregularity] = keys_of(
    Irregularity,
    *("what", "seat", "trick", "card", "settled"),
    what=reading.one_of(*WHAT),
    settled=reading.one_of(*SETTLED),
    trick=at_least(1),
    transfers=reading.list_of(reader_of(Transfer), MOST_TRANSFERS),
)

_read_blind_round = reader_of(BlindRound)


def read_blind_round(value: object, at: At, problems: Problems) -> object:
    """Parse a blind round; `None` for `false`, which stands for none, or if a violation was added."""
    return None if value is False else _read_blind_round(value, at, problems)


def to_keys(part: object, keys: Keys) -> dict[str, object]:
    """Return the keys of a record or part that have values, as plain values.

    Empty values of the keys in `OPTIONAL_IF_EMPTY` are left out.
    """
    return {
        key: _WRITERS.get(reader, plain)(value)
        for key, (attribute, reader) in keys.items()
        if (value := getattr(part, attribute)) is not None
        and (value or key not in OPTIONAL_IF_EMPTY)
    }


def plain(value: object) -> object:
    """Return a value as text, numbers, lists and mappings; `None` is left out of lists."""
    if type(value) in _PLAIN:
        return value
    fields = FIELDS.get(type(value))
    if fields is not None:
        return to_keys(value, fields)
    if isinstance(value, Card | Suit):
        return str(value)
    if isinstance(value, tuple | Tricks):  # a call without a doubler has two items
        return [plain(item) for item in value if item is not None]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return reading.write_moment(value) if isinstance(value, datetime) else value


_PLAIN = {str, int, bool}
"""The types that are written unchanged."""


def _write_hands(hands: Mapping[str, tuple[Card | None, ...]]) -> dict[str, str]:
    return {seat: write_cards(hand) for seat, hand in hands.items()}


_WRITERS: Mapping[Reader, Callable[[Any], object]] = {
    spelling.cards: write_cards,
    spelling.dealt_cards: write_cards,
    _hands: _write_hands,
}


read_irregularities = reading.list_of(reader_of(Irregularity), MOST_IRREGULAR)
"""Parses irregularities in order; returns `None` if a violation was added."""

_read_calls = spelling.rows_of(reading.text, spelling.bid, reading.text, optional=1)
_read_trick_table: Any = reader_of(Trick)


def _read_trick(value: object, at: At, problems: Problems) -> Trick | None:
    """Parse a trick: a table with its cards, or only the cards; `None` if a violation was added."""
    if not isinstance(value, str | list):
        return cast("Trick | None", _read_trick_table(value, at, problems))
    before = len(problems)
    cards = spelling.dealt_cards(value, at, problems)
    return None if cards is None or len(problems) > before else Trick(cards)


def read_auction(value: object, at: At, problems: Problems) -> tuple[Call, ...] | None:
    """Parse the calls in order; `None` if the value is not a list.

    Each wrong call adds a violation; it is left out, or has `None` in place of a wrong item.
    """
    rows: Any = _read_calls(value, at, problems)
    return rows and tuple([Call(*row) for row in rows])


def read_tricks(value: object, at: At, problems: Problems) -> Tricks | None:
    """Parse the tricks in order; return `None` if a violation was added."""
    rows = reading.array(value, at, problems, MOST_TRICKS)
    if rows is None:
        return None
    before = len(problems)
    usual = _usual_tricks(rows)
    if usual is not None:
        return usual
    tricks = [_read_trick(row, (at, place), problems) for place, row in enumerate(rows, 1)]
    return None if len(problems) > before else Tricks.of(cast("list[Trick]", tricks))


def _usual_tricks(rows: list[Any]) -> Tricks | None:
    """Parse tricks with a leader and equally many cards, separated by spaces; `None` for any other form."""
    try:
        leaders, texts = [row["leader"] for row in rows], [row["cards"] for row in rows]
        size, cards = (len(texts[0]) + 1) // 3, " ".join(texts).split(" ")
        # A card has at least two characters, so longer ones would make the text longer.
        if (
            {*map(len, texts)} == {3 * size - 1}
            and len(cards) == size * len(rows)
            and {*map(type, rows)} == {dict}
            and sum(map(len, rows)) == 2 * len(rows)
            and "".join(leaders).isascii()
        ):
            played = tuple(map(SPELLINGS.__getitem__, cards))
            return Tricks(played, (size,) * len(rows), tuple(leaders))
    except (IndexError, KeyError, TypeError):
        pass
    return None
