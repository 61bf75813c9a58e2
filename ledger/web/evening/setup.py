"""The set-up of a session in a form: game, variant, house rules and seats.

The form may be incomplete. The choices on offer come from the games' rule sheets.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from engine.games import GAMES
from engine.rules.options import Option, OptionKind, OptionValue, Plain, check
from engine.rules.sheet import Sheet
from engine.words.sentences import say
from ledger.services.common import names
from ledger.web.frame.figures import whole_number
from ledger.words.problems import Invalid

Form = MultiDict[str, str]

_FIRST = next(iter(GAMES))


@dataclass(frozen=True, slots=True)
class Setup:
    """The chosen game, its variant, and the current value of each house rule."""

    sheet: Sheet
    variant: str | None
    values: Mapping[str, OptionValue]

    @classmethod
    def of(cls, game: str, variant: str | None, options: Mapping[str, OptionValue]) -> "Setup":
        """Build the set-up from a session's game, variant and options; other house rules get defaults."""
        sheet = GAMES[game]
        defaults = {option.slug: option.default for option in sheet.options_of(variant)}
        return cls(sheet, variant, {**defaults, **options})

    @classmethod
    def read(cls, form: Form) -> "Setup":
        """Parse the submitted form; an unknown game or variant is replaced by the first one.

        A switch that is off sends nothing, so ``rules_of`` names the variant of the house rules in the form;
        the house rules of another game or variant get their defaults.
        """
        sheet = GAMES.get(form.get("game", ""), GAMES[_FIRST])
        chosen_variant = form.get(f"variant-{sheet.slug}")
        variant = sheet.variant(chosen_variant) or sheet.variant(None)
        slug = variant.slug if variant else None
        offered = sheet.options_of(slug)
        is_shown = form.get("rules_of") == cls._name(sheet, slug)
        return cls(
            sheet, slug, {o.slug: _value(o, form) if is_shown else o.default for o in offered}
        )

    @staticmethod
    def _name(sheet: Sheet, variant: str | None) -> str:
        return f"{sheet.slug} {variant or ''}"

    @property
    def name(self) -> str:
        """The value of ``rules_of`` in the form."""
        return self._name(self.sheet, self.variant)

    @property
    def options(self) -> tuple[Option, ...]:
        """The house rules of the variant."""
        return self.sheet.options_of(self.variant)

    @property
    def chosen(self) -> dict[str, OptionValue]:
        """The house rules that differ from the variant's defaults."""
        return {
            o.slug: self.values[o.slug] for o in self.options if self.values[o.slug] != o.default
        }

    @property
    def wrong(self) -> dict[str, str]:
        """The errors of house rules by their paths (``pots.stake``)."""
        problems = check(self.options, self.chosen)
        return {
            str(violation.where["field"]).removeprefix("options."): violation.message
            for violation in problems
        }

    def fits(self, seats: int, sheet: Sheet | None = None) -> bool:
        """Return whether the game, or another one if given, can be played with this number of seats."""
        return seats in (sheet or self.sheet).seats


def _value(option: Option, form: Form) -> OptionValue:
    if option.kind is not OptionKind.GROUP:
        return _plain(option, f"rule-{option.slug}", form)
    if form.get(f"rule-{option.slug}") is None:
        return False
    return {
        member.slug: _plain(member, f"rule-{option.slug}.{member.slug}", form)
        for member in option.members
    }


def _plain(option: Option, name: str, form: Form) -> Plain:
    """Return the value of a house rule; an unknown choice becomes the default.

    An invalid amount stays a text, which the engine rejects.
    """
    text = form.get(name)
    if option.kind is OptionKind.SWITCH:
        return text is not None
    if option.kind is OptionKind.AMOUNT and text is not None:
        return whole_number(text)
    plain = [
        value for value in (*option.choices, option.default) if isinstance(value, bool | int | str)
    ]
    return next((value for value in plain if str(value) == text), plain[-1])


@dataclass(frozen=True, slots=True)
class Round:
    """The players seated so far, clockwise, and the error of the last typed name."""

    seated: tuple[str, ...]
    typed: str = ""
    problem: str | None = None

    @classmethod
    def read(cls, form: Form) -> "Round":
        """Parse the seats and apply the tap: seat a player, remove one, or add a new name.

        A refused name seats nobody and is kept as ``typed`` with its ``problem``; nothing is raised.
        """
        seated = [name for name in form.getlist("seat") if name.strip()]
        if "stand" in form:
            seated = [name for name in seated if name != form["stand"]]
        if "sit" in form and form["sit"] not in seated:
            seated.append(form["sit"])
        typed = " ".join(form.get("new_name", "").split())
        if not typed:
            return cls(tuple(seated))
        if names.key(typed) in map(names.key, seated):
            return cls(tuple(seated), typed, say("{typed} is already at the table.", typed=typed))
        try:
            seated.append(names.clean_new_player(typed, seated))
        except Invalid as invalid:
            return cls(tuple(seated), typed, invalid.message)
        return cls(tuple(seated))
