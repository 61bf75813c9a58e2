"""Hand records in TOML: `[[hand]]` after `[[hand]]`, after keys that every hand in the file shares."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping

from engine.notation.common import BYTE_ORDER_MARK, TOO_DEEP, Reading, Unreadable, read_hand
from engine.record import HandRecord

HAND = "hand"
SHAREABLE = ("format", "game", "rules", "options", "players")
"""Keys written once for the whole file when all its hands agree on them."""
EXPANDED = ("deal",)
"""Keys whose tables get a line for each entry: a hand of cards each."""

_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {
    **{code: f"\\u{code:04X}" for code in (*range(0x20), 0x7F)},
    ord("\n"): "\\n",
    ord("\t"): "\\t",
    ord('"'): '\\"',
    ord("\\"): "\\\\",
}


def read_toml(text: str) -> Iterator[Reading]:
    '''Read every `[[hand]]`; what it does not say itself, the keys above the first one say.

    >>> [hand.dealer for hand in read_toml("""
    ...     game = "six-bid"
    ...     players = ["Ann", "Bob", "Cyd"]
    ...     [[hand]]
    ...     dealer = "Bob"
    ... """)]
    ['Bob']
    '''
    shared = _parse(text.removeprefix(BYTE_ORDER_MARK))
    hands = shared.pop(HAND, [])
    if not isinstance(hands, list):
        raise Unreadable(1, 1, "each hand begins with [[hand]], in two pairs of brackets")
    if shared and not hands:
        raise Unreadable(1, 1, "there is no hand in this file; each begins with [[hand]]")
    return (read_hand({**shared, **hand} if isinstance(hand, Mapping) else hand) for hand in hands)


def _parse(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except ValueError as error:
        message = str(error)
        place = _PLACE.search(message)
        if place is None:
            line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
            message = message.removesuffix(" (at end of document)")
        else:
            line, column = int(place[1]), int(place[2])
            message = message[: place.start()]
        raise Unreadable(line, column, message) from error
    except RecursionError as error:
        raise Unreadable(1, 1, TOO_DEEP) from error


def write_toml(records: Iterable[HandRecord]) -> str:
    """Write the hands; what several agree on stands once, above them."""
    hands = [
        {key: list(_lines((key,), value)) for key, value in record.to_mapping().items()}
        for record in records
    ]
    shared = {}
    if len(hands) > 1:
        first = hands[0]
        shared = {
            key: first[key]
            for key in SHAREABLE
            if key in first and all(hand.get(key) == first[key] for hand in hands)
        }
    blocks = [_block(shared)] if shared else []
    blocks += [
        f"[[{HAND}]]\n" + _block({key: hand[key] for key in hand if key not in shared})
        for hand in hands
    ]
    return "\n".join(blocks)


def _block(entries: Mapping[str, list[str]]) -> str:
    return "".join(f"{line}\n" for lines in entries.values() for line in lines)


def _lines(path: tuple[str, ...], value: object) -> Iterator[str]:
    """Write a key: tables of long or deep content as dotted keys, a list of rows over several lines."""
    if isinstance(value, Mapping) and ((path[0] in EXPANDED and value) or _is_deep(value)):
        for key, each in value.items():
            yield from _lines((*path, key), each)
        return
    name = ".".join(map(_key, path))
    if isinstance(value, list) and _is_rows(value):
        yield f"{name} = ["
        yield from (f"  {_inline(each)}," for each in value)
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
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)} = {_inline(each)}" for key, each in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return _quoted(value) if isinstance(value, str) else str(value)


def _key(text: str) -> str:
    return text if _BARE_KEY.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    return '"' + text.translate(_ESCAPES) + '"'
