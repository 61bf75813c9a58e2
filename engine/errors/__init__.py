"""What is wrong with a hand, said so that the people at the table can put it right."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from engine.errors.codes import CODES
from engine.words.language import ENGLISH, Language
from engine.words.sentences import say

LARGEST = 10**9
"""No number at a card table comes near this; a larger one is a slip of the finger."""

LONGEST = 60
"""So much of what somebody typed is repeated in a sentence about it."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: a stable code, a sentence, the place, and what would have been right.

    `where` holds `field` (a dotted path into the hand record) and, where they help, `seat` and
    `card`. `legal` lists the right choices, when there are few enough to list.

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
        """The dotted path into the hand record; empty when the whole hand is meant."""
        return str(self.where.get("field", ""))

    def to_mapping(self, language: Language = ENGLISH) -> dict[str, object]:
        """Write the violation in the words of a language; `legal` only when there is something to list."""
        legal = {"legal": list(self.legal)} if self.legal else {}
        message, where = language.translate(self.message), dict(self.where)
        return {"code": self.code, "message": message, "where": where, **legal}


Problems = list[Violation]
"""What was found wrong so far; whoever looks on adds to it."""


class Refused(Exception):
    """A hand, an option or a seat that the rules do not allow, with every violation found."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations: tuple[Violation, ...] = tuple(violations)
        if not self.violations:
            raise ValueError("nothing is refused without a violation")
        super().__init__(" ".join(violation.message for violation in self.violations))

    def to_mapping(self, language: Language = ENGLISH) -> dict[str, object]:
        """Write the answer to a refused hand in the words of a language."""
        return {
            "ok": False,
            "violations": [violation.to_mapping(language) for violation in self.violations],
        }


def refuse_any(violations: Iterable[Violation]) -> None:
    """Raise `Refused` with all of them, or return when there are none."""
    found = tuple(violations)
    if found:
        raise Refused(found)


def join(names: Iterable[str], word: str = "and") -> str:
    """Join names, or what can be chosen from, as they are said aloud.

    >>> join(["Cyd"]), join(["Cyd", "Dee"]), join(["Cyd", "Dee", "Eve"], "or")
    ('Cyd', 'Cyd and Dee', 'Cyd, Dee or Eve')
    """
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else last


def show(value: object) -> str:
    """Show a value in a sentence: text in quotes, and never long."""
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
    whole = printable(value)
    return say('"{text}"', text=whole if len(whole) <= LONGEST else f"{whole[:LONGEST]}…")


def printable(text: object) -> str:
    """Show half a surrogate pair, which no file or page can hold, as its number."""
    return str(text).encode(errors="backslashreplace").decode()
