"""Hand records in TOML, read as a stream: each `[[hand]]` is parsed when the next one begins.

Memory does not grow with the number of hands. Keys shared by all hands precede the first one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO

from engine.notation.common import FileHead, Reading, Unreadable, numbered_lines, read_hand
from engine.notation.toml_text import HAND, NO_HAND, KeyTwice, hands_of, parse

_BEGINS = re.compile(
    rf"[ \t]*\[\[[ \t]*(?:{HAND}|\"{HAND}\"|'{HAND}')[ \t]*\]\][ \t]*(?:#.*)?\r?\n?$"
)
_SIGNS = re.compile(r'''"""|'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#.*|[\[\]{}]''')
_STRING_ENDS = {
    '"""': re.compile(r'(?:\\.|[^\\])*?"""', re.DOTALL),
    "'''": re.compile(r".*?'''", re.DOTALL),
}
"""The rest of a multi-line string, by its quotation marks."""
_PLAIN = r"""(?:[^\[\]{}"'#]+(?=[\[\]{}"'#]|\Z)|"[^"\\\n]+"|'[^'\n]+'|\#.*(?=\n|\Z))*"""
# Each part can match in one way only, so a mismatch is found in linear time. Possessive quantifiers would do
# the same, but match incorrectly before Python 3.11.5.
_FLAT = rf"{_PLAIN}(?:[\[{{]{_PLAIN}[\]}}]{_PLAIN})*"
_BALANCED = re.compile(rf"{_PLAIN}(?:[\[{{]{_FLAT}[\]}}]{_PLAIN})*")
"""A text in which all strings and brackets are closed, as in nearly every hand."""
_OUTSIDE = ("", 0)


def stream_toml(stream: Iterable[str]) -> Iterator[Reading]:
    r"""Yield the record of each hand in a stream of lines, or `Refused`; nothing for an empty text.

    A hand with violations or a duplicate key is yielded as `Refused`. Raises `Unreadable` if the text is not
    TOML, a shared key is repeated or stands below a hand, or there are shared keys but no hand.

    >>> lines = ['game = "six-bid"', 'players = ["Ann", "Bob", "Cyd"]', "[[hand]]", 'dealer = "Bob"']
    >>> [hand.dealer for hand in stream_toml(f"{line}\n" for line in lines)]
    ['Bob']
    """
    head: FileHead | None = None
    shared: Mapping[str, object] = {}
    place = 0
    for line, table in _tables(stream):
        if isinstance(table, KeyTwice):
            if head is None:
                raise table  # shared keys concern every hand
            place += 1
            yield table.refused
            continue
        hands = hands_of(table, line)
        if head is None:
            shared, head = table, FileHead(table)
        elif table:
            message = "keys that all hands share belong above the first [[hand]]"
            raise Unreadable(line, 1, message)
        for hand in hands:
            yield read_hand(head.complete(hand, place))
            place += 1
    if shared and not place:
        raise Unreadable(1, 1, NO_HAND)


def read_toml(text: str) -> Iterator[Reading]:
    '''Return the record or `Refused` of every `[[hand]]`, completed by the keys above the first one.

    All of the text is read first. Raises `Unreadable` as `stream_toml` does; then no hand is returned.

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
    """Yield the number of its first line with each table: first the keys above all hands, then each hand's.

    A table with a duplicate key is replaced by the error, so that the other hands can still be read. The
    error is raised if a string or bracket is open at the end, as the hands after it are unknown.
    """
    lines: list[str] = []
    first, followed, inside = 1, 0, _OUTSIDE
    for number, line in numbered_lines(stream):
        if _BEGINS.match(line):
            inside = _state_after("".join(lines[followed:]), *inside)
            followed = len(lines)
            if inside == _OUTSIDE:
                yield first, _parsed("".join(lines), first)
                lines, first, followed = [], number, 0
        lines.append(line)
    last = _parsed("".join(lines), first)
    if isinstance(last, KeyTwice) and _state_after("".join(lines[followed:]), *inside) != _OUTSIDE:
        raise last  # with an open string or bracket, the hands after it are unknown
    yield first, last


def _parsed(text: str, first: int) -> dict[str, object] | KeyTwice:
    """Return the table of a text, or, not raised, the error for a duplicate key."""
    try:
        return parse(text, first)
    except KeyTwice as twice:
        return twice


def _state_after(text: str, string: str, brackets: int) -> tuple[str, int]:
    """Return the marks of the multi-line string that is open after a text, and the number of open brackets.

    `string` and `brackets` are those open before it; the marks are empty if no string is open.
    """
    at = len(text) if not string and _BALANCED.fullmatch(text) else 0
    while True:
        if string:
            end = _STRING_ENDS[string].match(text, at)
            if end is None:
                return string, brackets
            at, string = end.end(), ""
        sign = _SIGNS.search(text, at)
        if sign is None:
            return "", brackets
        at = sign.end()
        if sign[0] in _STRING_ENDS:
            string = sign[0]
        else:
            brackets += (sign[0] in "[{") - (sign[0] in "]}")
