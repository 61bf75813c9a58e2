"""Hand records in TOML: `[[hand]]` after `[[hand]]`, after keys that every hand in the file shares."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from engine.errors import Refused, Violation
from engine.notation.common import TOO_DEEP, Unreadable
from engine.record import HandRecord
from engine.words.sentences import say

HAND = "hand"
SHAREABLE = ("format", "game", "rules", "options", "players")
"""Keys written once for the whole file when all its hands agree on them."""
EXPANDED = ("deal",)
"""Keys whose tables get a line for each entry: a hand of cards each."""

NO_HAND = f"there is no hand in this file; each begins with [[{HAND}]]"
NOT_A_LIST = f"each hand begins with [[{HAND}]], in two pairs of brackets"

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_TWICE = re.compile(r"Cannot (overwrite|declare|mutate|redefine) |Duplicate inline table key ")
"""How a parser of TOML calls a key that stood there before."""
_STRINGS = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"""|\Z)|'{3}.*?(?:'{3}|\Z)|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*''',
    re.DOTALL,
)
"""Strings (also unfinished ones of several lines) and comments."""


class KeyTwice(Unreadable):
    """A text in which a key is written twice; `key` is the one."""

    def __init__(self, line: int, column: int, key: str) -> None:
        super().__init__(line, column, f"{key} appears twice; keep one of them")
        self.key = key

    @property
    def refused(self) -> Refused:
        """What a hand is refused with in which it stands."""
        message = say(
            "Line {line}: {key} appears twice; keep one of them.", line=self.line, key=self.key
        )
        return Refused([Violation("key-twice", message, {"field": self.key})])


def hands_of(table: dict[str, object], line: int = 1) -> list[object]:
    """Take the hands out of a table that begins on a line."""
    hands = table.pop(HAND, [])
    if not isinstance(hands, list):
        raise Unreadable(line, 1, NOT_A_LIST)
    return hands


def parse(text: str, first: int = 1) -> dict[str, object]:
    """Parse a text that begins on a line.

    `KeyTwice` where a key stands a second time; what comes after it is not looked at.
    """
    try:
        return tomllib.loads(text)
    except ValueError as error:
        message = str(error)
        place = _PLACE.search(message)
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
        if place is not None and place[1]:
            line, column = int(place[1]), int(place[2])
        if _TWICE.match(message):
            before = sum(len(each) + 1 for each in text.split("\n")[: line - 1])
            key = _key_before(text, before + column - 1)
            if key == HAND:
                raise Unreadable(line + first - 1, 1, NOT_A_LIST) from error
            raise KeyTwice(line + first - 1, column, key) from error
        raise Unreadable(line + first - 1, column, _PLACE.sub("", message)) from error
    except RecursionError as error:
        raise Unreadable(first, 1, TOO_DEEP) from error


def _blanked(text: str) -> str:
    """Blot out what strings and comments say, so that no sign in them counts; lines keep their length."""
    return _STRINGS.sub(lambda found: re.sub(r"[^\n]", "x", found[0]), text)


def _key_before(text: str, end: int) -> str:
    """Find the key whose value, or whose brackets, end at a place."""
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
    """Write the hands; what several agree on is written once, above them."""
    hands = [record.to_mapping() for record in records]
    shared = {
        key: hands[0][key]
        for key in SHAREABLE
        if len(hands) > 1 and all(key in hand and hand[key] == hands[0][key] for hand in hands)
    }
    own = [{key: hand[key] for key in hand if key not in shared} for hand in hands]
    return "\n".join(([_block(shared)] if shared else []) + [_hand(each) for each in own])


def write_toml_stream(records: Iterable[HandRecord]) -> Iterator[str]:
    """Write a hand at a time as it comes; each says everything itself."""
    for record in records:
        yield _hand(record.to_mapping()) + "\n"


def _hand(keys: Mapping[str, object]) -> str:
    return f"[[{HAND}]]\n" + _block(keys)


def _block(keys: Mapping[str, object]) -> str:
    return "".join(f"{line}\n" for key, value in keys.items() for line in _lines((key,), value))


def _lines(path: tuple[str, ...], value: object) -> Iterator[str]:
    """Write a key: tables of long or deep content as dotted keys, a list of rows over several lines."""
    if isinstance(value, Mapping) and ((path[0] in EXPANDED and value) or _is_deep(value)):
        for key, each in value.items():
            yield from _lines((*path, key), each)
        return
    name = ".".join(map(_key, path))
    if _is_rows(value):
        yield f"{name} = ["
        yield from (f"  {_inline(each)}," for each in cast("list[object]", value))
        yield "]"
    elif path == ("played_at",):
        yield f"{name} = {value}"
    else:
        yield f"{name} = {_inline(value)}"


def _is_deep(table: Mapping[str, object]) -> bool:
    return any(isinstance(each, Mapping) or _is_rows(each) for each in table.values())


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(each, list | Mapping) for each in value)


def _inline(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)} = {_inline(each)}" for key, each in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    # Texts, numbers, true and false are written as in JSON, but for one sign that TOML escapes.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(text: str) -> str:
    return text if _BARE_KEY.fullmatch(text) else _inline(text)
