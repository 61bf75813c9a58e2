"""Hand records in TOML as a stream: each `[[hand]]` is read when the next one begins.

A file of a million hands needs no more memory than one of ten. What all hands share stands above the
first of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from itertools import pairwise

from engine.notation.common import Reading, Unreadable, numbered_lines, read_hand
from engine.notation.toml_text import (
    HAND,
    NO_HAND,
    KeyTwice,
    Unfinished,
    blanked,
    hands_of,
    is_open,
    parse,
    write,
)
from engine.record import HandRecord

_BEGINS = re.compile(
    rf"[ \t]*\[\[[ \t]*(?:{HAND}|\"{HAND}\"|'{HAND}')[ \t]*\]\][ \t]*(?:#.*)?\r?\n?$"
)


def stream_toml(stream: Iterable[str]) -> Iterator[Reading]:
    r"""Read hand after hand from lines as they come; `Unreadable` where they are not TOML.

    >>> lines = ['game = "six-bid"', 'players = ["Ann", "Bob", "Cyd"]', "[[hand]]", 'dealer = "Bob"']
    >>> [hand.dealer for hand in stream_toml(f"{line}\n" for line in lines)]
    ['Bob']
    """
    shared: Mapping[str, object] | None = None
    found = False
    for line, table in _tables(stream):
        if isinstance(table, KeyTwice):
            if shared is None:
                raise table  # what all hands share is every hand's
            found = True
            yield table.refused
            continue
        hands = hands_of(table, line)
        if shared is None:
            shared = table
        elif table:
            message = "keys that all hands share belong above the first [[hand]]"
            raise Unreadable(line, 1, message)
        for hand in hands:
            found = True
            yield read_hand({**shared, **hand} if isinstance(hand, Mapping) else hand)
    if shared and not found:
        raise Unreadable(1, 1, NO_HAND)


def read_toml(text: str) -> Iterator[Reading]:
    '''Read every `[[hand]]`, all at once; what it does not say itself, the keys above the first one say.

    >>> [hand.dealer for hand in read_toml("""
    ...     game = "six-bid"
    ...     players = ["Ann", "Bob", "Cyd"]
    ...     [[hand]]
    ...     dealer = "Bob"
    ... """)]
    ['Bob']
    '''
    return iter(list(stream_toml(StringIO(text))))


def _tables(stream: Iterable[str]) -> Iterator[tuple[int, dict[str, object] | KeyTwice]]:
    """Give what comes before the first hand, then each hand, with the line that it begins on.

    In place of one in which a key stands twice the fault is given: it spoils no other.
    """
    lines: list[str] = []
    first, enough = 1, 0
    for number, line in numbered_lines(stream):
        if len(lines) >= enough and _BEGINS.match(line):
            text = "".join(lines)
            try:
                tables = list(_parse(text, first))
            except Unfinished:
                # The words stand inside a text of several lines, or one that never ends: so that
                # this costs no more than reading it twice, the next try waits for twice as much.
                enough = 2 * len(lines)
            else:
                yield from tables
                lines, first, enough = [], number, 0
        lines.append(line)
    yield from _parse("".join(lines), first)


def _parse(text: str, first: int) -> Iterator[tuple[int, dict[str, object] | KeyTwice]]:
    """Parse a text of one hand or several that ends here; `Unfinished` where it does not."""
    try:
        yield first, parse(text, first)
    except KeyTwice as twice:
        if is_open(text):
            raise Unfinished(twice.line, twice.column, twice.message) from twice
        lines, bare = list(StringIO(text)), list(StringIO(blanked(text)))
        begins = [
            at
            for at, line in enumerate(lines)
            if at and _BEGINS.match(line) and bare[at].lstrip().startswith("[")
        ]
        if not begins:
            yield first, twice
        for start, end in pairwise([0, *begins, len(lines)] if begins else []):
            yield from _parse("".join(lines[start:end]), first + start)


def write_toml_stream(records: Iterable[HandRecord]) -> Iterator[str]:
    """Write a hand at a time as it comes; each says everything itself."""
    for record in records:
        yield write(record) + "\n"
