"""House rules as typed options with defaults."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from engine.errors import Violation, printable, show, suggest
from engine.words.language import Sentence
from engine.words.sentences import say, word

Plain = bool | int | str
OptionValue = Plain | Mapping[str, Plain]
"""The value of a house rule; of a group, `False` or a table with a value for each member."""


class OptionKind(StrEnum):
    """The type of an option, which determines its input on a page."""

    SWITCH = "switch"
    CHOICE = "choice"
    NUMBER = "number"
    AMOUNT = "amount"
    GROUP = "group"


class Option(NamedTuple):
    """A house rule: its name, valid values, and a description in one sentence.

    `words` maps each choice to a phrase for pages; a switch needs none. `source` is the number of the source
    text, or `sheet` for our decision. An amount is a whole number from `least` to `most`. A group is off
    (`False`) or a table with any of its `members`.
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
        """Return the phrase for a value: `yes` or `no` for true or false, also for a group that is off.

        A group's table becomes a list of its members with their phrases, a value without words its own text.
        """
        if isinstance(value, Mapping):
            parts = [
                say(
                    "{part:term} {what}",
                    part=member.slug.replace("_", " "),
                    what=member.word(value[member.slug]),
                )
                for member in self.members
            ]
            return say("{parts:list}", parts=parts)
        if isinstance(value, bool):
            return word("yes" if value else "no")
        return word(self.words.get(value, str(value)))

    def sentence(self, value: OptionValue) -> Sentence:
        """Return a sentence that states the house rule with a table's value; the rule alone for `True`.

        >>> switch("open_widow", False, "The widow lies open.", "sheet").sentence(False)
        'The widow lies open: no.'
        """
        if value is True:
            return word(self.description)
        return say("{rule:head}: {what}.", rule=self.description, what=self.word(value))

    def problems(self, value: object, at: str = "options") -> Iterator[Violation]:
        """Yield the violations of a value, none if it is valid; `at` is the path of the containing table.

        A group's table is checked member by member. Numbers are not switches, and `True` is not a number.
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
        expected = say("{choices:or}", choices=legal)
        if not legal:
            expected = say(
                "a whole number from {least} to {most}", least=self.least, most=self.most
            )
        if self.members:
            slugs = [member.slug for member in self.members]
            expected = say("{what} or a table of {parts:list}", what=expected, parts=slugs)
        message = say(
            "The house rule {rule} takes {what}, not {value}.",
            rule=self.slug,
            what=expected,
            value=show(value),
        )
        message = suggest(message, value, legal)
        yield Violation("option-value", message, {"field": f"{at}.{self.slug}"}, legal)

    def resolved(self, value: object) -> OptionValue:
        """Return a valid value unchanged, or a group's table with the defaults of missing members."""
        if isinstance(value, Mapping):
            return MappingProxyType(cast("dict[str, Plain]", resolve(self.members, value)))
        return cast("Plain", value)


def switch(slug: str, default: bool, description: str, source: str) -> Option:
    """Build an option with the values false and true."""
    return Option(slug, OptionKind.SWITCH, default, (False, True), description, source)


def choice(
    slug: str, words: Mapping[str, str] | Mapping[int, str], description: str, source: str
) -> Option:
    """Build an option with a few words or numbers, each with its phrase; the first one is the default."""
    values: tuple[OptionValue, ...] = tuple(words)
    kind = OptionKind.CHOICE if isinstance(values[0], str) else OptionKind.NUMBER
    return Option(slug, kind, values[0], values, description, source, dict(words))


def amount(
    slug: str, default: int, bounds: tuple[int, int], description: str, source: str
) -> Option:
    """Build an option for a whole number from the first to the second of the bounds."""
    least, most = bounds
    return Option(slug, OptionKind.AMOUNT, default, (), description, source, least=least, most=most)


def group(slug: str, members: tuple[Option, ...], description: str, source: str) -> Option:
    """Build an option that is off (`False`, the default) or a table with values of its members."""
    return Option(slug, OptionKind.GROUP, False, (False,), description, source, members=members)


def with_defaults(
    options: Iterable[Option], defaults: Mapping[str, Plain], at: str = ""
) -> tuple[Option, ...]:
    """Return the options with the defaults replaced that `defaults` has; the others keep theirs.

    The key of a group's member is dotted, `pots.stake`; `at` is the beginning of all keys.
    """
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
    """Return violations for unknown options and invalid values; `at` is the path of the table."""
    by_slug = {option.slug: option for option in options}
    problems: list[Violation] = []
    for slug, value in chosen.items():
        option = by_slug.get(slug)
        if option is None:
            where = {"field": f"{at}.{printable(slug)}"}
            message = say("This game has no house rule {rule}.", rule=show(slug))
            if at != "options":
                group = at.removeprefix("options.")
                message = say("{group} has no part {part}.", group=group, part=show(slug))
            message = suggest(message, slug, by_slug)
            problems.append(Violation("unknown-option", message, where, tuple(by_slug)))
        else:
            problems += option.problems(value, at)
    return tuple(problems)


def resolve(options: Iterable[Option], chosen: Mapping[str, object]) -> dict[str, OptionValue]:
    """Return a value for each option: the chosen one, or its default; the values must have been checked.

    Chosen options that are not among the options are left out.
    """
    return {
        option.slug: option.resolved(chosen.get(option.slug, option.default)) for option in options
    }
