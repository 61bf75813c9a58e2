"""Hand records in TOML: keys shared by all hands, then a `[[hand]]` table for each."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from engine.errors import Refused, Violation
from engine.notation.common import TOO_DEEP, Unreadable, shared_keys
from engine.record import HandRecord
from engine.words.sentences import say

HAND = "hand"
EXPANDED = ("deal",)
"""Keys with tables that get one line for each entry, such as a player's cards."""

NO_HAND = f"there is no hand in this file; each begins with [[{HAND}]]"
NOT_A_LIST = f"each hand begins with [[{HAND}]], in two pairs of brackets"

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
MOST_PARTS = 100
"""The most parts of a dotted key, as `tomllib` takes the square of their number."""
_DEEP_KEY = re.compile(rf"(?<![\w-])(?:[\w-]+[ \t]*\.[ \t]*){{{MOST_PARTS}}}", re.ASCII)
_TWICE = re.compile(r"Cannot (overwrite|declare|mutate|redefine) |Duplicate inline table key ")
"""The messages of `tomllib` about duplicate keys."""
_STRINGS = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"""|\Z)|'{3}.*?(?:'{3}|\Z)|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*''',
    re.DOTALL,
)
"""Strings (including unfinished multi-line ones) and comments."""


class KeyTwice(Unreadable):
    """Raised for a duplicate key, `key`, with its line and column."""

    def __init__(self, line: int, column: int, key: str) -> None:
        super().__init__(line, column, f"{key} appears twice; keep one of them")
        self.key = key

    @property
    def refused(self) -> Refused:
        """The error as `Refused`, for the hand with the key."""
        message = say(
            "Line {line}: {key} appears twice; keep one of them.", line=self.line, key=self.key
        )
        return Refused([Violation("key-twice", message, {"field": self.key})])


def hands_of(table: dict[str, object], line: int = 1) -> list[object]:
    """Remove the key `hand` from a table and return its list; an empty list if it has no such key.

    Raises `Unreadable` at `line` if the value is not a list.
    """
    hands = table.pop(HAND, [])
    if not isinstance(hands, list):
        raise Unreadable(line, 1, NOT_A_LIST)
    return hands


def parse(text: str, first: int = 1) -> dict[str, object]:
    """Return the table of a TOML text. Errors count lines from `first`, the number of its first line.

    Raises `KeyTwice` at the first duplicate key, and `Unreadable` at other errors, such as two `[hand]`
    tables or a dotted key with more than `MOST_PARTS` parts.
    """
    if text.count(".") >= MOST_PARTS and (deep := _DEEP_KEY.search(_blanked(text))):
        head = text[: deep.start()]
        raise Unreadable(first + head.count("\n"), len(head) - head.rfind("\n"), TOO_DEEP)
    try:
        return tomllib.loads(text)
    except ValueError as error:
        message = str(error)
        place = _PLACE.search(message)
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
        if place is not None and place[1]:
            line, column = int(place[1]), int(place[2])
        if _TWICE.match(message):
            before = sum(len(row) + 1 for row in text.split("\n")[: line - 1])
            key = _key_before(text, before + column - 1)
            if key == HAND:
                raise Unreadable(line + first - 1, 1, NOT_A_LIST) from error
            raise KeyTwice(line + first - 1, column, key) from error
        raise Unreadable(line + first - 1, column, _PLACE.sub("", message)) from error
    except RecursionError as error:
        raise Unreadable(first, 1, TOO_DEEP) from error


def _blanked(text: str) -> str:
    """Return a text with `x` for each character of strings and comments; length and lines stay the same."""
    return _STRINGS.sub(lambda match: re.sub(r"[^\n]", "x", match[0]), text)


def _key_before(text: str, end: int) -> str:
    """Return the key of the value, or the name of the heading, that ends at a position of a text.

    `hand.` is removed from the beginning of a heading.
    """
    bare, depth, at = _blanked(text[:end]), 0, end
    while True:
        at -= 1
        depth += (bare[at] in "]}") - (bare[at] in "[{")
        if depth < 0:  # a heading: [hand.contract]
            return text[at + 1 : end].strip("[] \t").removeprefix(f"{HAND}.")
        if bare[at] == "=" and not depth:
            start = max(bare.rfind(mark, 0, at) for mark in "\n,{")
            return text[start + 1 : at].strip()


def write_toml(records: Iterable[HandRecord]) -> str:
    """Return the TOML text of hands; two or more have the keys that all share (`shared_keys`) once, above."""
    hands = [record.to_mapping() for record in records]
    shared = shared_keys(hands)
    own = [{key: hand[key] for key in hand if key not in shared} for hand in hands]
    return "\n".join(([_block(shared)] if shared else []) + [_hand(keys) for keys in own])


def write_toml_stream(records: Iterable[HandRecord]) -> Iterator[str]:
    """Yield the TOML text of each hand, with all of its keys and an empty line after it."""
    for record in records:
        yield _hand(record.to_mapping()) + "\n"


def _hand(keys: Mapping[str, object]) -> str:
    """Return the `[[hand]]` table with these keys."""
    return f"[[{HAND}]]\n" + _block(keys)


def _block(keys: Mapping[str, object]) -> str:
    """Return the lines of keys and values, as one text."""
    return "".join(f"{line}\n" for key, value in keys.items() for line in _lines((key,), value))


def _lines(path: tuple[str, ...], value: object) -> Iterator[str]:
    """Yield the lines of a key with its value; `path` are the parts of a dotted key.

    A table in `EXPANDED`, or with tables or rows in it, becomes one dotted key per entry; a list of lists or
    tables has a line for each item.
    """
    if isinstance(value, Mapping) and ((path[0] in EXPANDED and value) or _is_deep(value)):
        for key, inner in value.items():
            yield from _lines((*path, key), inner)
        return
    name = ".".join(map(_key, path))
    if _is_rows(value):
        yield f"{name} = ["
        yield from (f"  {_inline(row)}," for row in cast("list[object]", value))
        yield "]"
    elif path == ("played_at",):
        yield f"{name} = {value}"
    else:
        yield f"{name} = {_inline(value)}"


def _is_deep(table: Mapping[str, object]) -> bool:
    """Return whether a value of a table is itself a table, or a list of rows."""
    return any(isinstance(value, Mapping) or _is_rows(value) for value in table.values())


def _is_rows(value: object) -> bool:
    """Return whether a value is a list with a list or table in it."""
    return isinstance(value, list) and any(isinstance(item, list | Mapping) for item in value)


def _inline(value: object) -> str:
    """Return a value in TOML on one line."""
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)} = {_inline(inner)}" for key, inner in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    # Texts, numbers, true and false are written as in JSON, except one character that TOML escapes.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(text: str) -> str:
    """Return a key in TOML, quoted if it has other characters than letters, digits, `_` and `-`."""
    return text if _BARE_KEY.fullmatch(text) else _inline(text)
