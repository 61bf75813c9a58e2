"""House rules: typed fields with a default each, so that a table can switch them by name."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from engine.errors import Violation, printable, show
from engine.words.language import Sentence
from engine.words.sentences import say, word

Plain = bool | int | str
OptionValue = Plain | Mapping[str, Plain]
"""What a house rule is set to; a group of rules is off, or a table with a value for each of them."""


class OptionKind(StrEnum):
    """How a page shows an option: a switch, a list of words or of numbers, an amount, or a group."""

    SWITCH = "switch"
    CHOICE = "choice"
    NUMBER = "number"
    AMOUNT = "amount"
    GROUP = "group"


class Option(NamedTuple):
    """One house rule: what it is called, which values it takes, and what it does in one sentence.

    `words` gives each choice a phrase that a page can show; a switch needs none.
    `source` is the source text or the rules sheet's decision that it comes from. An amount is any
    whole number from `least` to `most`. A group is off (`False`) or a table of its `members`, of
    which any may be left out.
    """

    slug: str
    kind: OptionKind
    default: OptionValue
    choices: tuple[OptionValue, ...]
    description: str
    source: str
    words: Mapping[Any, str] = MappingProxyType({})
    least: int = 0
    most: int = 0
    members: tuple["Option", ...] = ()

    def word(self, value: OptionValue) -> Sentence:
        """Give the phrase for one choice."""
        if isinstance(value, Mapping):
            told = [
                say(
                    "{part:term} {what}",
                    part=member.slug.replace("_", " "),
                    what=member.word(value[member.slug]),
                )
                for member in self.members
            ]
            return say("{parts:list}", parts=told)
        if isinstance(value, bool):
            return word("yes" if value else "no")
        return word(self.words.get(value, str(value)))

    def sentence(self, value: OptionValue) -> Sentence:
        """One plain sentence that says the house rule as this table plays it.

        >>> switch("open_widow", False, "The widow lies open.", "sheet").sentence(False)
        'The widow lies open: no.'
        """
        if value is True:
            return word(self.description)
        return say("{rule:head}: {what}.", rule=self.description, what=self.word(value))

    def problems(self, value: object, at: str = "options") -> Iterator[Violation]:
        """Name all that is wrong with a value; `at` is the path of the table it stands in.

        A whole number is not taken for a switch, nor a switch for a number.
        """
        if self.members and isinstance(value, Mapping):
            yield from check(self.members, value, f"{at}.{self.slug}")
            return
        if self.kind is OptionKind.AMOUNT:
            if type(value) is int and self.least <= value <= self.most:
                return
        elif any(type(value) is type(choice) and value == choice for choice in self.choices):
            return
        legal = tuple(str(choice).lower() for choice in self.choices)
        takes = say("{choices:or}", choices=legal)
        if not legal:
            takes = say("a whole number from {least} to {most}", least=self.least, most=self.most)
        if self.members:
            slugs = [member.slug for member in self.members]
            takes = say("{what} or a table of {parts:list}", what=takes, parts=slugs)
        message = say(
            "The house rule {rule} takes {what}, not {value}.",
            rule=self.slug,
            what=takes,
            value=show(value),
        )
        yield Violation("option-value", message, {"field": f"{at}.{self.slug}"}, legal)

    def resolved(self, value: object) -> OptionValue:
        """Complete a value that was checked: a group's members that are left out get their defaults."""
        if isinstance(value, Mapping):
            return MappingProxyType(cast("dict[str, Plain]", resolve(self.members, value)))
        return cast("Plain", value)


def switch(slug: str, default: bool, description: str, source: str) -> Option:
    """Make an option that is on or off."""
    return Option(slug, OptionKind.SWITCH, default, (False, True), description, source)


def choice(
    slug: str, words: Mapping[str, str] | Mapping[int, str], description: str, source: str
) -> Option:
    """Make an option with a few named values or whole numbers, the first of them its default."""
    values: tuple[OptionValue, ...] = tuple(words)
    kind = OptionKind.CHOICE if isinstance(values[0], str) else OptionKind.NUMBER
    return Option(slug, kind, values[0], values, description, source, dict(words))


def amount(
    slug: str, default: int, bounds: tuple[int, int], description: str, source: str
) -> Option:
    """Make an option that takes any whole number within bounds."""
    least, most = bounds
    return Option(slug, OptionKind.AMOUNT, default, (), description, source, least=least, most=most)


def group(slug: str, members: tuple[Option, ...], description: str, source: str) -> Option:
    """Make a group of options that belong together; it is off by default."""
    return Option(slug, OptionKind.GROUP, False, (False,), description, source, members=members)


def with_defaults(
    options: Iterable[Option], defaults: Mapping[str, Plain], at: str = ""
) -> tuple[Option, ...]:
    """Give the same options with a variant's own defaults; a member's slug is dotted, `pots.stake`."""
    return tuple(
        option._replace(
            default=defaults.get(at + option.slug, option.default),
            members=with_defaults(option.members, defaults, f"{at}{option.slug}."),
        )
        for option in options
    )


def check(
    options: Iterable[Option], chosen: Mapping[str, object], at: str = "options"
) -> tuple[Violation, ...]:
    """Every unknown option and every value that its option does not take."""
    known = {option.slug: option for option in options}
    problems: list[Violation] = []
    for slug, value in chosen.items():
        option = known.get(slug)
        if option is None:
            where = {"field": f"{at}.{printable(slug)}"}
            message = say("This game has no house rule {rule}.", rule=show(slug))
            if at != "options":
                group = at.removeprefix("options.")
                message = say("{group} has no part {part}.", group=group, part=show(slug))
            problems.append(Violation("unknown-option", message, where, tuple(known)))
        else:
            problems += option.problems(value, at)
    return tuple(problems)


def resolve(options: Iterable[Option], chosen: Mapping[str, object]) -> dict[str, OptionValue]:
    """Each option's value: the chosen one where there is one, else the default. Checked before."""
    return {
        option.slug: option.resolved(chosen.get(option.slug, option.default)) for option in options
    }
