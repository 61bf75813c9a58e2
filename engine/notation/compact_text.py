"""The characters of a compact line: escaped text, values of any key, check characters, a reader of tokens.

A line has only characters that may stand in the fragment of a URL, and letters beyond ASCII in names and
texts. It never contains `%`, so decoding a URL's fragment leaves it unchanged.
"""

import math
import re
from collections.abc import Mapping

from engine.errors import Refused, Violation
from engine.words.sentences import later, say, word

LONGEST_LINE = 16_384
"""The most characters of a line."""

DEEPEST = 8
"""The most tables and lists of a value inside each other."""

_LETTERS = (
    "\u00c0-\u024f"  # Latin
    "\u0388-\u0481\u048a-\u0556\u0561-\u0587"  # Greek, Cyrillic, Armenian
    "\u05d0-\u05ea\u0620-\u064a\u0660-\u0669\u0671-\u06d3"  # Hebrew, Arabic
    "\u0904-\u0ddf\u0e01-\u0e4e"  # Devanagari to Sinhala, Thai
    "\u10d0-\u10fa\u1ea0-\u1eff"  # Georgian, Vietnamese
    "\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3"  # Japanese, Chinese, Korean
)
"""Ranges of characters beyond ASCII that are written unescaped. They are part of the format: fixed, and so
independent of the version of Unicode."""

_PLAIN = f"A-Za-z0-9_.:{_LETTERS}-"
_ESCAPED = re.compile(rf"[^{_PLAIN}]")
_ESCAPE = re.compile(r"\$([1-9a-f][0-9a-f]{0,5}|0|)\.")
TEXT = re.compile(rf"(?:[{_PLAIN}+]|\$[0-9a-f]{{0,6}}\.)+")
"""A text with its escapes; a blank is `+`, any other character `$` with its number in hexadecimal and `.`."""

INTEGER = re.compile(r"-?[0-9]{1,40}", re.ASCII)
_DECIMAL = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:e-?[0-9]{1,3})?", re.ASCII)
_TOKEN = re.compile(r"![01]|-?[0-9](?:[0-9.]|e-?)*(?=[,)]|\Z)", re.ASCII)
_FLAGS = {"!0": False, "!1": True}

_PRIME, _FACTOR, _DIGITS, CHECK_LENGTH = 1_679_609, 257, "0123456789abcdefghijklmnopqrstuvwxyz", 4


class NoLine(Exception):
    """Raised for a hand that can't be written as one line, with the reason."""


def check_of(text: str) -> str:
    """Return the four check characters of a text: digits and small letters.

    They differ for two texts of which one has a single other character, or two neighbours swapped: the prime
    is larger than any character's number, and 36⁴ is the next larger number of four digits.

    >>> check_of("frog"), check_of("forg")
    ('c8vv', '80l7')
    """
    remainder = 0
    for character in text:
        remainder = (remainder * _FACTOR + ord(character)) % _PRIME
    digits = ""
    for _ in range(CHECK_LENGTH):
        remainder, digit = divmod(remainder, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits


def escape(text: str) -> str:
    """Return a text as it stands in a line: `+` for a space, `$….` with the number of any other sign.

    Letters, digits and `_ . : -` stand unchanged. The result is never empty.

    >>> escape("Zoë, the 2nd"), escape("")
    ('Zoë$2c.+the+2nd', '$.')
    """
    escaped = _ESCAPED.sub(lambda match: _written(match[0]), text)
    return escaped or "$."


def _written(character: str) -> str:
    """Return a character escaped: `+` for a space, else `$`, its number in hexadecimal and `.`."""
    return "+" if character == " " else f"${ord(character):x}."


def write_value(value: object, depth: int = 0) -> str:
    """Return a value as it stands in a line: `!1` or `!0`, a number, a text, or a list or table in brackets.

    Keys of tables are sorted. Raises `NoLine` for a value that is nested too deep, has too many digits or is
    of another type. `depth` counts the brackets around it.

    >>> write_value({"stake": 2, "on_loss": "match", "seats": ["Ann", "7"], "off": False})
    '(off=!0,on_loss=match,seats=(Ann,$37.),stake=2)'
    """
    if isinstance(value, str):
        escaped = escape(value)
        return escaped if _TOKEN.match(escaped) is None else _written(escaped[0]) + escaped[1:]
    if isinstance(value, bool):
        return f"!{value:d}"
    if isinstance(value, int | float):
        text = repr(value).replace("+", "")
        if not math.isfinite(value) or _DECIMAL.fullmatch(text) is None:
            raise NoLine("a number has too many digits")
        return text
    if depth == DEEPEST:
        raise NoLine("tables and lists are nested too deep")
    if isinstance(value, Mapping):
        pairs = [
            f"{escape(str(key))}={write_value(value[key], depth + 1)}"
            for key in sorted(value, key=str)
        ]
        return f"({','.join(pairs) or '='})"
    if isinstance(value, list | tuple):
        return f"({','.join(write_value(item, depth + 1) for item in value)})"
    raise NoLine("a value is neither text, a number, a list nor a table")


EXPECTED = {
    "length": later("the end, as a line has no more characters,"),
    "check": later("a slash with four check characters after it"),
    "game": later("a game, such as six-bid, and perhaps a comma and its variant"),
    "names": later("the players' names, with commas between them"),
    "dealer": later("@ and the letter of the dealer's seat"),
    "seat": later("the letter of a seat"),
    "card": later("a card, as a suit S H D C and its ranks A T K Q J 9 8 7 6"),
    "lead": later("the card led, as a small letter s h d c and its rank"),
    "call": later("a bid, or - for a pass"),
    "contract": later("a detail of the contract, after + ! = or a comma"),
    "exchange": later("t d f or r, and what was exchanged"),
    "value": later("a value"),
    "bracket": later("a comma or a closing bracket"),
    "part": later("a part of the hand, such as t: or points=, which did not stand before"),
    "end": later("a slash and the next part"),
}
"""The descriptions of what a place in a line needs."""


class LineReader:
    """A part of a line, read token by token. `at` is the next character, `end` the end of the part."""

    def __init__(self, line: str, at: int, end: int) -> None:
        self.line, self.at, self.end = line, at, end

    @property
    def over(self) -> bool:
        """Whether the end of the part is reached."""
        return self.at >= self.end

    def maybe(self, pattern: re.Pattern[str]) -> str:
        """Return the text that a pattern matches at the next character, and move past it.

        Without a match return an empty string, and stay.
        """
        match = pattern.match(self.line, self.at, self.end)
        if match is None:
            return ""
        self.at = match.end()
        return match[0]

    def take(self, pattern: re.Pattern[str], expected: str) -> str:
        """Return the text that a pattern matches at the next character, and move past it.

        Without a match raise `Refused`, which names this key's text of `EXPECTED`.
        """
        token = self.maybe(pattern)
        if not token:
            raise self.refused(expected)
        return token

    def sign(self, signs: str) -> str:
        """Return the next character and move past it if it is one of the signs; else return an empty text."""
        if not self.over and self.line[self.at] in signs:
            self.at += 1
            return self.line[self.at - 1]
        return ""

    def text(self, expected: str) -> str:
        """Read an escaped text, up to the next sign of the notation, and return it without its escapes.

        Raises `Refused`, which names this key's text of `EXPECTED`, if there is none.
        """
        token, start = self.take(TEXT, expected), self.at
        try:
            return _ESCAPE.sub(_unescaped, token.replace("+", " "))
        except ValueError:  # beyond the last character of Unicode
            self.at = start - len(token)
            raise self.refused(expected) from None

    def value(self, depth: int = 0) -> object:
        """Read a value as `write_value` writes it, and return it. Raises `Refused` if there is none.

        `depth` counts the brackets around it; more than `DEEPEST` are refused.
        """
        if self.sign("("):
            return self._in_brackets(depth + 1)
        start = self.at
        token = self.maybe(_TOKEN)
        if not token:
            return self.text("value")
        if token in _FLAGS:
            return _FLAGS[token]
        if INTEGER.fullmatch(token):
            return int(token)
        if _DECIMAL.fullmatch(token) and math.isfinite(float(token)):
            return float(token)
        self.at = start
        raise self.refused("value")

    def _in_brackets(self, depth: int) -> object:
        """Read the rest of a list or table after its opening bracket, and return it. Raises `Refused`."""
        if depth > DEEPEST:
            raise self.refused("value")
        if self.sign(")"):
            return []
        if self.maybe(_EMPTY_TABLE):
            return {}
        items: list[object] = []
        table: dict[str, object] = {}
        is_table = _KEY.match(self.line, self.at, self.end) is not None
        while True:
            if is_table:
                key = self.text("value")
                if not self.sign("=") or key in table:
                    raise self.refused("value")
                table[key] = self.value(depth)
            else:
                items.append(self.value(depth))
            mark = self.sign(",)")
            if mark == ")":
                return table if is_table else items
            if not mark:
                raise self.refused("bracket")

    def refused(self, expected: str) -> Refused:
        """Return, not raise, the error that something else is needed at the next character.

        `expected` is the key of its description in `EXPECTED`.
        """
        message = say(
            "The line cannot be read at character {column:,}: {expected} is needed there.",
            column=self.at + 1,
            expected=word(EXPECTED[expected]),
        )
        where: dict[str, str | int] = {"field": "line", "column": self.at + 1}
        return Refused([Violation("line-malformed", message, where)])


_EMPTY_TABLE = re.compile(r"=\)")
_KEY = re.compile(rf"{TEXT.pattern}=")


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else ""
