"""The arithmetic of a verdict as values: each step has a key, its numbers and names, and a source.

Its words are made when they are asked for, by a language (`engine.reasoning.language`) from the same values.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

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
        """Write the step for a page that renders it itself: key, values, source, English text."""
        return {
            "key": self.key,
            "values": dict(self.values),
            "source": self.source,
            "text": self.text,
        }


def join(names: Iterable[str]) -> str:
    """Join names as one says them.

    >>> join(["Cyd"]), join(["Cyd", "Dee"]), join(["Cyd", "Dee", "Eve"])
    ('Cyd', 'Cyd and Dee', 'Cyd, Dee and Eve')
    """
    return ENGLISH.join(names)


def counted(number: int, noun: str) -> str:
    """Put a number before its noun.

    >>> counted(0, "card point"), counted(1, "trick"), counted(74, "card point")
    ('no card points', '1 trick', '74 card points')
    """
    return ENGLISH.count(number, noun)
