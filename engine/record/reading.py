"""Readers for the values of a hand record: each returns the parsed value or adds a violation.

A reader takes the raw value, its place, and the list of problems; it returns `None` if it added one. Nothing
is guessed: `"74"` is not a number, `1` is not true. A place becomes a dotted path only for a violation.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, TypeVar

from engine.errors import LARGEST, Problems, Refused, Violation, printable, show, suggest
from engine.words.language import Sentence
from engine.words.sentences import say

At: TypeAlias = "str | tuple[At, object]"
"""A place in a record: a dotted path, or a pair of the outer place and a key or position."""
Reader = Callable[[object, At, Problems], object]
T = TypeVar("T")

_RFC_3339 = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)


class Keys(dict[str, tuple[str, Reader]]):
    """The keys of a table, each with its attribute and reader; some are `required`."""

    required: tuple[str, ...] = ()
    added: tuple[str, str, Reader] | None = None
    """The beginning of further keys, the attribute for a table of them, and the reader of their values."""


class KeysTwice(dict[str, object]):
    """A mapping from text in which the key `twice` appeared twice; readers refuse it."""

    def __init__(self, pairs: list[tuple[str, object]], twice: str) -> None:
        super().__init__(pairs)
        self.twice = twice

    def __repr__(self) -> str:
        return f"{super().__repr__()}, {self.twice!r} twice"


def spell(at: At) -> str:
    """Return a place as a dotted path, outer keys first.

    >>> spell((("", "tricks"), 3)), spell("points")
    ('tricks.3', 'points')
    """
    if isinstance(at, str):
        return at
    outer, inner = spell(at[0]), printable(str(at[1]))
    return f"{outer}.{inner}" if outer else inner


def wrong(
    problems: Problems, at: At, value: object, expected: str, words: tuple[str, ...] = ()
) -> None:
    """Add the violation `ill-typed`: the value at this place must be `expected`, a type in words.

    If `words` are the valid ones, its message suggests the nearest.
    """
    field = spell(at)
    message = say(
        "{what} must be {wanted}, not {value}.",
        what=field or say("A hand"),
        wanted=expected,
        value=value if isinstance(value, Sentence) else show(value),
    )
    message = suggest(message, value, words)
    problems.append(Violation("ill-typed", message, {"field": field}))


def integer(value: object, at: At, problems: Problems) -> int | None:
    """Return a whole number from -`LARGEST` to `LARGEST`; for others add a violation and return `None`.

    Neither text, `True` nor `1.0` is a whole number.
    """
    if type(value) is not int:
        wrong(problems, at, value, say("a whole number"))
    elif -LARGEST <= value <= LARGEST:
        return value
    else:
        bounds = say("a whole number from −{most:,} to {most:,}", most=LARGEST)
        wrong(problems, at, value, bounds)
    return None


def at_least(least: int) -> Callable[[object, At, Problems], int | None]:
    """Return a reader for whole numbers from `least`; for others it adds a violation and returns `None`."""

    def read(value: object, at: At, problems: Problems) -> int | None:
        number = integer(value, at, problems)
        if number is None or number >= least:
            return number
        wrong(problems, at, number, say("{least} or more", least=least))
        return None

    return read


def flag(value: object, at: At, problems: Problems) -> bool | None:
    """Return true or false; for any other value, also 1, add a violation and return `None`."""
    if isinstance(value, bool):
        return value
    wrong(problems, at, value, say("true or false"))
    return None


def text(value: object, at: At, problems: Problems) -> str | None:
    """Return text; for any other value add a violation and return `None`.

    Lone surrogates are refused, too, as they could not be written again.
    """
    if type(value) is str and value.isascii():  # as nearly always
        return value
    if not isinstance(value, str):
        wrong(problems, at, value, say("text"))
        return None
    try:
        value.encode()
    except UnicodeEncodeError:
        wrong(problems, at, say("half a character"), say("text of whole characters"))
        return None
    return value


def short_text(most: int) -> Callable[[object, At, Problems], str | None]:
    """Return a reader for text of at most `most` characters, also empty.

    For others it adds a violation and returns `None`.
    """

    def read(value: object, at: At, problems: Problems) -> str | None:
        words = text(value, at, problems)
        if words is None or len(words) <= most:
            return words
        wrong(problems, at, words, say("text of at most {most:,} characters", most=most))
        return None

    return read


def one_of(*words: str) -> Callable[[object, At, Problems], str | None]:
    """Return a reader for exactly one of these words; for others it adds a violation and returns `None`.

    The violation suggests the nearest word.
    """

    def read(value: object, at: At, problems: Problems) -> str | None:
        if isinstance(value, str) and value in words:
            return value
        wrong(problems, at, value, say("{words:or}", words=words), words)
        return None

    return read


def moment(value: object, at: At, problems: Problems) -> datetime | None:
    """Parse an RFC 3339 time with its offset, as text or as TOML's own date-time; return a `datetime`.

    For any other value, also a time without an offset, a violation is added and `None` returned.
    """
    if isinstance(value, str) and _RFC_3339.fullmatch(value):
        try:
            return datetime.fromisoformat(value.upper())
        except ValueError:  # the 31st of June
            pass
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value
    wrong(problems, at, value, say("a time with its offset, such as 2026-01-31T20:15:00Z"))
    return None


def write_moment(value: datetime) -> str:
    """Return a time as RFC 3339 text with its offset, or `Z` if that is 0 or missing.

    A time whose offset has seconds is converted to UTC.
    """
    offset = value.utcoffset() or timedelta()
    if offset.total_seconds() % 60:  # RFC 3339 has no seconds in an offset
        return write_moment(value.astimezone(UTC))
    return value.isoformat() if offset else value.replace(tzinfo=None).isoformat() + "Z"


MOST_ITEMS = 200
"""The most items of a list, and the most keys of a table, in a record."""

MOST_SUGGESTED = 10
"""After so many violations none suggests a similar key, as finding one takes longer than all the rest."""

MOST_PROBLEMS = 100
"""The most violations that are looked for in a record."""


class FirstProblems(list[Violation]):
    """A list of violations that raises `Refused` if more than `MOST_PROBLEMS` are appended."""

    def append(self, violation: Violation) -> None:
        """Add a violation; raise `Refused` with all of them if there are `MOST_PROBLEMS` already.

        The `Refused` ends with the violation `too-many-mistakes` in place of this one.
        """
        if len(self) == MOST_PROBLEMS:
            message = say(
                "There are more mistakes in this hand; these are the first {n}.", n=MOST_PROBLEMS
            )
            raise Refused([*self, Violation("too-many-mistakes", message, {"field": ""})])
        super().append(violation)


def array(value: object, at: At, problems: Problems, most: int = MOST_ITEMS) -> list[object] | None:
    """Return the items of a list or tuple of at most `most` as a list.

    For any other value add a violation and return `None`.
    """
    if isinstance(value, list | tuple) and len(value) <= most:
        return list(value)
    is_list = isinstance(value, list | tuple)
    expected = say("a list of at most {most} items", most=most) if is_list else say("a list")
    wrong(problems, at, value, expected)
    return None


def list_of(item: Reader, most: int) -> Callable[[object, At, Problems], Any]:
    """Return a reader for a list of at most `most` items, each read by `item`; it returns a tuple.

    For any other value, or if an item is wrong, it adds violations and returns `None`.
    """

    def read(value: object, at: At, problems: Problems) -> tuple[Any, ...] | None:
        items = array(value, at, problems, most)
        if items is None:
            return None
        before = len(problems)
        values = tuple([item(one, (at, place), problems) for place, one in enumerate(items, 1)])
        return None if len(problems) > before else values

    return read


def names(value: object, at: At, problems: Problems) -> tuple[str, ...] | None:
    """Parse a list of texts; return a tuple.

    If it is not a list or any item is not text, `None` is returned, with a violation for each fault.
    """
    items = array(value, at, problems)
    if items is None:
        return None
    try:
        return tuple(ascii_texts(items))
    except (TypeError, ValueError):
        pass  # an item that is not text gets a violation below
    read = [text(item, (at, place), problems) for place, item in enumerate(items, 1)]
    valid = tuple(name for name in read if name is not None)
    return valid if len(valid) == len(read) else None


def ascii_texts(texts: Sequence[Any]) -> Sequence[str]:
    """Return the texts unchanged if all are ASCII.

    Raises `TypeError` if one is not text, and `ValueError` if one is not ASCII.
    """
    if not "".join(texts).isascii():
        raise ValueError("text with other characters")
    return texts


def mapping(
    value: object, at: At, problems: Problems, most: int = MOST_ITEMS
) -> Mapping[str, object] | None:
    """Return a table of at most `most` keys; for other values add a violation and return `None`.

    A table from text in which a key appeared twice (`KeysTwice`) is refused, too.
    """
    if isinstance(value, KeysTwice):
        field = spell((at, value.twice))
        message = say("{key} appears twice; keep one of them.", key=field)
        problems.append(Violation("key-twice", message, {"field": field}))
        return None
    if isinstance(value, Mapping) and len(value) <= most:
        return value
    expected = say("a table of keys")
    if isinstance(value, Mapping):
        expected = say("a table of at most {most} keys", most=most)
    wrong(problems, at, value, expected)
    return None


def unknown_key(at: At, keys: Iterable[str] = (), nearest: Iterable[str] = ()) -> Violation:
    """Return the violation of a key that no record has, with `keys` as the valid ones.

    Its message suggests the one of `nearest` that is most similar, if any is.
    """
    field = spell(at)
    message = say("A hand record has no key {key}.", key=show(field))
    message = suggest(message, field.rpartition(".")[2], nearest)
    return Violation("unknown-key", message, {"field": field}, tuple(keys))


def fields(value: object, at: At, keys: Keys, problems: Problems) -> dict[str, Any] | None:
    """Parse the keys of a table into attributes; `None` only if it is not a table, or has a key twice.

    Unknown, missing and invalid keys add violations to `problems`; an invalid one has the value `None`. A key
    with `null` counts as missing, because JSON writers often put it.
    """
    if type(value) is dict and len(value) <= MOST_ITEMS:
        table: Mapping[str, object] | None = value
    else:
        table = mapping(value, at, problems)
    if table is None:
        return None
    read: dict[str, Any] = {}
    for key, item in table.items():
        parsing = keys.get(key)
        if parsing is None and keys.added is not None and str(key).startswith(keys.added[0]):
            if item is not None:
                _, attribute, reader = keys.added
                read.setdefault(attribute, {})[key] = reader(item, (at, key), problems)
        elif parsing is None:
            nearest = keys if len(problems) < MOST_SUGGESTED else ()
            problems.append(unknown_key((at, key), keys, nearest))
        elif item is not None:
            attribute, reader = parsing
            read[attribute] = reader(item, (at, key), problems)
    for key in keys.required:
        if table.get(key) is None:
            field = spell((at, key))
            message = say("{key} is missing.", key=field)
            problems.append(Violation("missing-key", message, {"field": field}))
    return read
