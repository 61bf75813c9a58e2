"""What a table agrees on, as a value: game, variant, house rules, and who sits where.

Read from a form that may be half filled in; knows what to offer next. Every game is shown by what its
rule sheet says of itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from engine.games import GAMES
from engine.rules.options import Option, OptionKind, OptionValue, Plain, check
from engine.rules.sheet import Sheet
from engine.words.sentences import say
from ledger.services.common import names
from ledger.web.frame.figures import whole
from ledger.words.problems import Invalid

Form = MultiDict[str, str]

_FIRST = next(iter(GAMES))


@dataclass(frozen=True, slots=True)
class Setup:
    """The game chosen so far. ``values`` holds every house rule of the sheet as it stands."""

    sheet: Sheet
    variant: str | None
    values: Mapping[str, OptionValue]

    @classmethod
    def of(cls, game: str, variant: str | None, options: Mapping[str, OptionValue]) -> "Setup":
        """Make the set-up of a session as it stands."""
        sheet = GAMES[game]
        defaults = {option.slug: option.default for option in sheet.options_of(variant)}
        return cls(sheet, variant, {**defaults, **options})

    @classmethod
    def read(cls, form: Form) -> "Setup":
        """Read what was chosen.

        A switch that is off sends nothing, so the form says in ``rules_of`` whose house rules it
        showed; those of another game or variant are left at their defaults.
        """
        sheet = GAMES.get(form.get("game", ""), GAMES[_FIRST])
        asked = form.get(f"variant-{sheet.slug}")
        variant = sheet.variant(asked) or sheet.variant(None)
        slug = variant.slug if variant else None
        offered = sheet.options_of(slug)
        shown = form.get("rules_of") == cls._name(sheet, slug)
        return cls(sheet, slug, {o.slug: _value(o, form) if shown else o.default for o in offered})

    @staticmethod
    def _name(sheet: Sheet, variant: str | None) -> str:
        return f"{sheet.slug} {variant or ''}"

    @property
    def name(self) -> str:
        """What the form sends as ``rules_of``."""
        return self._name(self.sheet, self.variant)

    @property
    def options(self) -> tuple[Option, ...]:
        """The house rules on offer."""
        return self.sheet.options_of(self.variant)

    @property
    def chosen(self) -> dict[str, OptionValue]:
        """The house rules that differ from the variant's own."""
        return {
            o.slug: self.values[o.slug] for o in self.options if self.values[o.slug] != o.default
        }

    @property
    def wrong(self) -> dict[str, str]:
        """What is wrong with a house rule that was typed in, by its path (``pots.stake``)."""
        problems = check(self.options, self.chosen)
        return {
            str(each.where["field"]).removeprefix("options."): each.message for each in problems
        }

    def fits(self, seats: int, sheet: Sheet | None = None) -> bool:
        """Whether so many can play it."""
        return seats in (sheet or self.sheet).seats


def _value(option: Option, form: Form) -> OptionValue:
    if option.kind is not OptionKind.GROUP:
        return _plain(option, f"rule-{option.slug}", form)
    if form.get(f"rule-{option.slug}") is None:
        return False
    return {
        each.slug: _plain(each, f"rule-{option.slug}.{each.slug}", form) for each in option.members
    }


def _plain(option: Option, name: str, form: Form) -> Plain:
    """Read one value; an amount that is not a number stays as it was typed, for the engine to refuse."""
    sent = form.get(name)
    if option.kind is OptionKind.SWITCH:
        return sent is not None
    if option.kind is OptionKind.AMOUNT and sent is not None:
        return whole(sent)
    plain = [
        each for each in (*option.choices, option.default) if isinstance(each, bool | int | str)
    ]
    return next((value for value in plain if str(value) == sent), plain[-1])


@dataclass(frozen=True, slots=True)
class Round:
    """Who sits at the table so far, clockwise, and what is wrong with the name just typed."""

    seated: tuple[str, ...]
    typed: str = ""
    problem: str | None = None

    @classmethod
    def read(cls, form: Form) -> "Round":
        """Read who sat there, then do what was tapped: sit somebody down, take a seat away, add a name."""
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
