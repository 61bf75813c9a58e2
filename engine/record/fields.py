"""The keys of a hand record's parts: how each is parsed and written.

The fields of a part define its keys and, by their types, their readers.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from inspect import signature
from types import MappingProxyType, NoneType
from typing import Any, cast, get_args, get_type_hints

from engine.cards.cards import SPELLINGS, Card, Suit, write_cards
from engine.errors import Problems
from engine.record import reading, spelling
from engine.record.evening import LONGEST_TITLE, Arrival, Departure, HandEvening
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
from engine.record.parts import (
    HEARTLESS,
    BlindRound,
    Call,
    Contract,
    Deal,
    Exchange,
    Pots,
    Spit,
    Trick,
    Tricks,
)
from engine.record.reading import At, Keys, Reader, at_least
from engine.record.remarks import LONGEST_NOTE, MOST_NOTES, Note, StatedVerdict
from engine.record.results import RESULT
from engine.record.seats import LONGEST as LONGEST_NAME
from engine.record.seats import MOST
from engine.words.sentences import say

MOST_TRICKS = 36
"""The most tricks of a record: one for each card."""


def _hands(
    value: object, at: At, problems: Problems
) -> dict[str, tuple[Card | None, ...] | None] | None:
    """Parse a table from seats to cards; `None` if it is not a table of at most `MOST` seats.

    Invalid cards of a seat add violations and become `None`.
    """
    table = reading.mapping(value, at, problems, MOST)
    if table is None:
        return None
    return {seat: spelling.dealt_cards(hand, (at, seat), problems) for seat, hand in table.items()}


def _heartless(value: object, at: At, problems: Problems) -> int | None:
    """Parse a number from 0 to 2; for other values add a violation and return `None`."""
    count = reading.integer(value, at, problems)
    if count is None or 0 <= count < HEARTLESS:
        return count
    expected = say("0, 1 or 2: at the third such deal a player is passed over")
    reading.wrong(problems, at, count, expected)
    return None


def _amounts(value: object, at: At, problems: Problems) -> Mapping[str, int] | None:
    """Parse a table from seats to whole numbers; `None` if a violation was added."""
    table = reading.mapping(value, at, problems)
    if table is None:
        return None
    before = len(problems)
    amounts = {seat: reading.integer(n, (at, seat), problems) for seat, n in table.items()}
    return None if len(problems) > before else amounts  # type: ignore[return-value]


_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def _day(value: object, at: At, problems: Problems) -> str | None:
    """Parse a day, as text `2026-01-31` or as TOML's own date, and return that text.

    For other values, also times, it adds a violation and returns `None`.
    """
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and _DAY.fullmatch(value):
        try:
            return date.fromisoformat(value).isoformat()
        except ValueError:  # the 31st of June
            pass
    reading.wrong(problems, at, value, say("a day, such as 2026-01-31"))
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
    """Return the keys of a record or part, from its fields; those named `first` come first, then the others.

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
    """Return a reader that parses a table into this part of a record.

    It adds a violation for each unknown, missing or invalid key, and then returns `None`.
    """

    def read(value: object, at: At, problems: Problems) -> object:
        before = len(problems)
        values = reading.fields(value, at, FIELDS[part], problems)
        return None if len(problems) > before else part(**(values or {}))

    return read


_title, _name = reading.short_text(LONGEST_TITLE), reading.short_text(LONGEST_NAME)

FIELDS: Mapping[type, Keys] = MappingProxyType(
    {
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
        Irregularity: keys_of(
            Irregularity,
            *("what", "seat", "trick", "card", "settled"),
            what=reading.one_of(*WHAT),
            settled=reading.one_of(*SETTLED),
            trick=at_least(1),
            transfers=reading.list_of(reader_of(Transfer), MOST_TRANSFERS),
        ),
        StatedVerdict: keys_of(StatedVerdict, deltas=_amounts),
        Note: keys_of(
            Note,
            *("trick", "card", "call"),
            text=reading.short_text(LONGEST_NOTE),
            trick=at_least(1),
            call=at_least(1),
        ),
        Arrival: keys_of(Arrival, seat=_name, hand=at_least(1), after=_name),
        Departure: keys_of(Departure, seat=_name, hand=at_least(1)),
        HandEvening: keys_of(
            HandEvening,
            club=_title,
            title=_title,
            date=_day,
            number=at_least(1),
            seats=reading.list_of(_name, MOST),
            seated=reading.list_of(reader_of(Arrival), reading.MOST_ITEMS),
            left=reading.list_of(reader_of(Departure), reading.MOST_ITEMS),
        ),
    }
)
"""The keys of each part, in the order in which they are written."""

_read_blind_round = reader_of(BlindRound)


def read_blind_round(value: object, at: At, problems: Problems) -> object:
    """Parse the table of a blind round; `None` for `false`, which stands for none, or after a violation."""
    return None if value is False else _read_blind_round(value, at, problems)


def to_mapping(part: object) -> dict[str, object]:
    """Return the keys of a part of a record that have values, with cards, suits and times as text."""
    return to_keys(part, FIELDS[type(part)])


def to_keys(part: object, keys: Keys) -> dict[str, object]:
    """Return the keys of a record or part that have values, in the order of `keys`, as plain values.

    Keys without a value (`None`) and empty values of the keys in `OPTIONAL_IF_EMPTY` are left out.
    """
    return {
        key: _WRITERS.get(reader, plain)(value)
        for key, (attribute, reader) in keys.items()
        if (value := getattr(part, attribute)) is not None
        and (value or key not in OPTIONAL_IF_EMPTY)
    }


def plain(value: object) -> object:
    """Return a value as JSON has it: parts as mappings, tuples as lists, cards, suits and times as text.

    `None` is left out of lists. Text, numbers, true and false are returned unchanged.
    """
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
    """Return a table from seats to hands with each hand as one text, `AS TD ?`."""
    return {seat: write_cards(hand) for seat, hand in hands.items()}


_WRITERS: Mapping[Reader, Callable[[Any], object]] = {
    spelling.cards: write_cards,
    spelling.dealt_cards: write_cards,
    _hands: _write_hands,
}


read_evening = reader_of(HandEvening)
"""Parses an evening; returns `None` if a violation was added."""

read_notes = reading.list_of(reader_of(Note), MOST_NOTES)
"""Parses notes in order; returns `None` if a violation was added."""

read_irregularities = reading.list_of(reader_of(Irregularity), MOST_IRREGULAR)
"""Parses irregularities in order; returns `None` if a violation was added."""

_read_calls = spelling.rows_of(reading.text, spelling.bid, reading.text, optional=1)
_read_trick_table: Any = reader_of(Trick)


def _read_trick(value: object, at: At, problems: Problems) -> Trick | None:
    """Parse a trick: a table with its cards and perhaps its leader, or only the cards.

    If a violation was added, `None` is returned.
    """
    if not isinstance(value, str | list):
        return cast("Trick | None", _read_trick_table(value, at, problems))
    before = len(problems)
    cards = spelling.dealt_cards(value, at, problems)
    return None if cards is None or len(problems) > before else Trick(cards)


def read_auction(value: object, at: At, problems: Problems) -> tuple[Call, ...] | None:
    """Parse the calls in order, each a list of seat, call and, for a redouble, doubler; `None` for no list.

    Each wrong call adds a violation; it is left out, or has `None` in place of a wrong item.
    """
    rows: Any = _read_calls(value, at, problems)
    return rows and tuple([Call(*row) for row in rows])


def read_tricks(value: object, at: At, problems: Problems) -> Tricks | None:
    """Parse the tricks in order, each a table or only its cards; `None` if a violation was added.

    More than `MOST_TRICKS` are a violation.
    """
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
