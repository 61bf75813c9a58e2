"""Hand records in TOML as a stream: each `[[hand]]` is read when the next one begins.

A file of a million hands needs no more memory than one of ten. The one difference from
`engine.notation.toml_text.read_toml`: what all hands share must come before the first of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from engine.notation.common import BYTE_ORDER_MARK, Reading, Unreadable, read_hand
from engine.notation.toml_text import HAND, NO_HAND, Unfinished, hands_of, parse, write
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


def _tables(stream: Iterable[str]) -> Iterator[tuple[int, dict[str, object]]]:
    """Give what comes before the first hand, then each hand, with the line that it begins on."""
    lines: list[str] = []
    first, enough = 1, 0
    for number, line in enumerate(_decoded(stream), 1):
        if len(lines) >= enough and _BEGINS.match(line):
            try:
                table = parse("".join(lines), first)
            except Unfinished:
                # The words stand inside a text of several lines, or one that never ends: so that
                # this costs no more than reading it twice, the next try waits for twice as much.
                enough = 2 * len(lines)
            else:
                yield first, table
                lines, first, enough = [], number, 0
        lines.append(line)
    yield first, parse("".join(lines), first)


def _decoded(stream: Iterable[str]) -> Iterator[str]:
    """Give the lines without a byte order mark; text that is not UTF-8 is unreadable."""
    lines = iter(stream)
    number = 0
    while True:
        try:
            line = next(lines)
        except StopIteration:
            return
        except UnicodeDecodeError as error:
            raise Unreadable(number + 1, 1, "the text is not UTF-8") from error
        number += 1
        yield line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line


def write_toml_stream(records: Iterable[HandRecord]) -> Iterator[str]:
    """Write a hand at a time as it comes; each says everything itself."""
    for record in records:
        yield write(record) + "\n"
