"""Hand records in TOML as a stream: each `[[hand]]` is read when the next one begins.

A file of a million hands needs no more memory than one of ten. What all hands share stands above the
first of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO

from engine.notation.common import Reading, Unreadable, numbered_lines, read_hand
from engine.notation.toml_text import HAND, NO_HAND, KeyTwice, hands_of, parse

_BEGINS = re.compile(
    rf"[ \t]*\[\[[ \t]*(?:{HAND}|\"{HAND}\"|'{HAND}')[ \t]*\]\][ \t]*(?:#.*)?\r?\n?$"
)
_SIGNS = re.compile(r'''"""|'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#.*|[\[\]{}]''')
_STRING_ENDS = {
    '"""': re.compile(r'(?:\\.|[^\\])*?"""', re.DOTALL),
    "'''": re.compile(r".*?'''", re.DOTALL),
}
"""Where a string of several lines ends, by its marks."""
_PLAIN = r"""(?:[^\[\]{}"'#]+(?=[\[\]{}"'#]|\Z)|"[^"\\\n]+"|'[^'\n]+'|\#.*(?=\n|\Z))*"""
# Each part can match in one way only, so a mismatch is found in linear time. Possessive quantifiers would
# say the same, but match wrongly before Python 3.11.5.
_FLAT = rf"{_PLAIN}(?:[\[{{]{_PLAIN}[\]}}]{_PLAIN})*"
_WHOLE = re.compile(rf"{_PLAIN}(?:[\[{{]{_FLAT}[\]}}]{_PLAIN})*")
"""A text that ends whatever it opens, as nearly every hand does."""
_OUTSIDE = ("", 0)


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
    first, followed, inside = 1, 0, _OUTSIDE
    for number, line in numbered_lines(stream):
        if _BEGINS.match(line):
            inside = _after("".join(lines[followed:]), *inside)
            followed = len(lines)
            if inside == _OUTSIDE:
                yield first, _parsed("".join(lines), first)
                lines, first, followed = [], number, 0
        lines.append(line)
    last = _parsed("".join(lines), first)
    if isinstance(last, KeyTwice) and _after("".join(lines[followed:]), *inside) != _OUTSIDE:
        raise last  # nor does anybody know which hands stand behind it
    yield first, last


def _parsed(text: str, first: int) -> dict[str, object] | KeyTwice:
    try:
        return parse(text, first)
    except KeyTwice as twice:
        return twice


def _after(text: str, string: str, brackets: int) -> tuple[str, int]:
    """Follow some lines: the marks of a string of several lines that they end in, and open brackets."""
    at = len(text) if not string and _WHOLE.fullmatch(text) else 0
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
