"""The arithmetic of a verdict as values: each step has a key, its numbers and names, and a source.

Its words are made when they are asked for, by a language (`engine.reasoning.language`) from the same values;
so the ledger keeps the values, and a sentence can be improved without touching what is kept.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from engine.reasoning.english import ENGLISH
from engine.reasoning.language import Language, Values


@dataclass(frozen=True)
class Step:
    """One line of the reasoning. `source` is a source text's number, or `sheet` for a decision."""

    key: str
    values: Values
    source: str

    @cached_property
    def text(self) -> str:
        """The step in English."""
        return self.spoken(ENGLISH)

    def spoken(self, language: Language) -> str:
        """Put the step into words.

        >>> Step("over-half", {"points": 74, "off": 14, "half": 60}, "002").spoken(ENGLISH)
        '74 card points, 14 over 60'
        """
        return language.say(self.key, self.values)

    def to_mapping(self) -> dict[str, object]:
        """Write the step as it is kept: no word of any language."""
        return {"key": self.key, "values": dict(self.values), "source": self.source}

    @classmethod
    def from_mapping(cls, kept: Mapping[str, Any]) -> Self:
        """Read a step as it is kept; lists of names become tuples again, as the engine made them."""
        values = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in kept["values"].items()
        }
        return cls(kept["key"], values, kept["source"])


def counted(number: int, noun: str) -> str:
    """Put a number before its noun.

    >>> counted(0, "card point"), counted(1, "trick"), counted(74, "card point")
    ('no card points', '1 trick', '74 card points')
    """
    return ENGLISH.count(number, noun)
