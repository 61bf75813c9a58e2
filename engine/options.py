"""House rules: typed fields with a default each, so that a table can switch them by name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, cast

from engine.errors import Violation, printable, show

OptionValue = bool | int | str


class Kind(StrEnum):
    """How a page shows an option: a switch, a list of words, or a list of numbers."""

    SWITCH = "switch"
    CHOICE = "choice"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule: what it is called, which values it takes, and what it does in one sentence.

    `words` gives each choice a phrase that a page can show; a switch needs none.
    `source` is the source text or the rules sheet's decision that it comes from.
    """

    slug: str
    kind: Kind
    default: OptionValue
    choices: tuple[OptionValue, ...]
    description: str
    source: str
    words: Mapping[Any, str] = field(default_factory=dict, hash=False)

    def word(self, value: OptionValue) -> str:
        """Give the phrase for one choice."""
        if self.kind is Kind.SWITCH:
            return "yes" if value else "no"
        return self.words.get(value, str(value))

    def sentence(self, value: OptionValue) -> str:
        """One plain sentence that says the house rule as this table plays it.

        >>> switch("open_widow", False, "The widow lies open.", "sheet").sentence(False)
        'The widow lies open: no.'
        """
        if value is True:
            return self.description
        return f"{self.description.rstrip('.')}: {self.word(value)}."

    def problem(self, value: object) -> Violation | None:
        """Say what is wrong with a value, or nothing when it is allowed.

        A whole number is not taken for a switch, nor a switch for a number.
        """
        if any(type(value) is type(choice) and value == choice for choice in self.choices):
            return None
        legal = tuple(str(choice).lower() for choice in self.choices)
        return Violation(
            "option-value",
            f"The house rule {self.slug} takes {' or '.join(legal)}, not {show(value)}.",
            {"field": f"options.{self.slug}"},
            legal,
        )


def switch(slug: str, default: bool, description: str, source: str) -> Option:
    """Make an option that is on or off."""
    return Option(slug, Kind.SWITCH, default, (False, True), description, source)


def choice(slug: str, words: Mapping[str, str], description: str, source: str) -> Option:
    """Make an option with named values, the first of them its default."""
    values = tuple(words)
    return Option(slug, Kind.CHOICE, values[0], values, description, source, dict(words))


def number(slug: str, words: Mapping[int, str], description: str, source: str) -> Option:
    """Make an option with a few whole numbers, the first of them its default."""
    values = tuple(words)
    return Option(slug, Kind.NUMBER, values[0], values, description, source, dict(words))


def with_defaults(
    options: Iterable[Option], defaults: Mapping[str, OptionValue]
) -> tuple[Option, ...]:
    """Give the same options with a variant's own defaults."""
    return tuple(
        replace(option, default=defaults.get(option.slug, option.default)) for option in options
    )


def check(options: Iterable[Option], chosen: Mapping[str, object]) -> tuple[Violation, ...]:
    """Every unknown option and every value that its option does not take."""
    known = {option.slug: option for option in options}
    problems = []
    for slug, value in chosen.items():
        option = known.get(slug)
        if option is None:
            problems.append(
                Violation(
                    "unknown-option",
                    f"This game has no house rule {show(slug)}.",
                    {"field": f"options.{printable(slug)}"},
                    tuple(known),
                )
            )
        elif problem := option.problem(value):
            problems.append(problem)
    return tuple(problems)


def resolve(options: Iterable[Option], chosen: Mapping[str, object]) -> dict[str, OptionValue]:
    """Each option's value: the chosen one where there is one, else the default. Checked before."""
    return {
        option.slug: cast("OptionValue", chosen.get(option.slug, option.default))
        for option in options
    }
