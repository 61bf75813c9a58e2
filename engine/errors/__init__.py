"""Violations: errors in a hand, with their place and the valid values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from engine.errors.codes import CODES
from engine.words.language import ENGLISH, Language, Sentence
from engine.words.sentences import say

LARGEST = 10**9
"""The largest valid number; a larger one is a typing error."""

LONGEST = 60
"""The most characters of a value that a message repeats."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: a stable code, a message, the place, and the valid values.

    `where` has the `field`, a dotted path into the hand record, or for a played card the `trick` and the
    `position` in it, from 1; and the `seat` and `card` if they help. Cards there are written as in a record.
    `legal` has the valid values if they are few. Raises `LookupError` for a code that is not in `CODES`.

    >>> Violation("points-missing", "Say the points.", {"field": "points"}).to_mapping()
    {'code': 'points-missing', 'message': 'Say the points.', 'where': {'field': 'points'}}
    """

    code: str
    message: str
    where: Mapping[str, str | int]
    legal: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise LookupError(f"{self.code} is in no catalogue of codes")
        object.__setattr__(self, "where", MappingProxyType(dict(self.where)))

    def __hash__(self) -> int:
        return hash((self.code, self.message, tuple(self.where.items()), self.legal))

    @property
    def field(self) -> str:
        """The dotted path into the hand record; empty for the hand itself and for a played card."""
        return str(self.where.get("field", ""))

    def to_mapping(self, language: Language = ENGLISH) -> dict[str, object]:
        """Return `code`, `message` in a language, `where` and, if there are valid values, `legal`."""
        legal = {"legal": list(self.legal)} if self.legal else {}
        message, where = language.translate(self.message), dict(self.where)
        return {"code": self.code, "message": message, "where": where, **legal}


Problems = list[Violation]
"""A list of violations to which checks append."""


class Refused(Exception):
    """Raised if the rules do not allow a hand, an option or a seat; has all `violations`.

    Building it without a violation raises `ValueError`. Its text is that of all messages, joined by spaces.
    """

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations: tuple[Violation, ...] = tuple(violations)
        if not self.violations:
            raise ValueError("nothing is refused without a violation")
        super().__init__(" ".join(violation.message for violation in self.violations))

    def to_mapping(self, language: Language = ENGLISH) -> dict[str, object]:
        """Return the response to a refused hand: `ok`, which is false, and `violations` in a language."""
        return {
            "ok": False,
            "violations": [violation.to_mapping(language) for violation in self.violations],
        }


def refuse_any(violations: Iterable[Violation]) -> None:
    """Raise `Refused` with all of the violations; do nothing if there are none."""
    if violations := tuple(violations):
        raise Refused(violations)


def suggest(message: Sentence, word: object, valid: Iterable[str]) -> Sentence:
    """Return the message, followed by `Did you mean …?` with the valid word most like `word`.

    The message is unchanged if no word is similar, or `word` is not text or too long. Capitals make no
    difference.

    >>> suggest(say("There is no game."), "sixbid", ["frog", "six-bid"])
    'There is no game. Did you mean six-bid?'
    """
    if not isinstance(word, str) or len(word) > LONGEST:
        return message
    by_lower_case = {text.lower(): text for text in valid}
    for nearest in get_close_matches(word.lower(), by_lower_case, 1):
        meant = by_lower_case[nearest]
        return say("{problem} Did you mean {word}?", problem=message, word=meant)
    return message


def show(value: object) -> str:
    """Return a value as a message shows it: text is quoted and cut to `LONGEST` characters.

    A table, a list or a number out of range is only described.

    >>> show("six-bid"), show(74), show(True), show(None), show([1, 2])
    ('"six-bid"', '74', 'true', 'nothing', 'a list')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return say("nothing")
    if isinstance(value, Mapping):
        return say("a table of keys")
    if isinstance(value, list | tuple):
        return say("a list")
    if isinstance(value, int) and abs(value) > LARGEST:
        return say("a number out of range")
    if not isinstance(value, str):
        return str(value)
    text = printable(value)
    return say('"{text}"', text=text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def printable(text: object) -> str:
    """Return a value as text in which escapes replace lone surrogates, which can't be encoded."""
    return str(text).encode(errors="backslashreplace").decode()
