"""Hands filled in at random, question by question, at any table of any game with any house rules."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from engine.games import GAMES
from engine.rules.seating import Turn
from engine.rules.sheet import Rules, Sheet
from ledger.web.hand.form import HandForm
from tests.ledger.table import SEVEN

NAMES = (*SEVEN, "Hal", "Ida", "Jon", "Kim", "Leo")

_SHEETS = st.sampled_from(list(GAMES.values()))


@st.composite
def some_rules(draw: st.DrawFn) -> Rules:
    """Return a table's game, variant, house rules and seats; pots are left to the contents in the books."""
    sheet: Sheet = draw(_SHEETS)
    variants: list[str | None] = [each.slug for each in sheet.variants]
    variant = draw(st.sampled_from(variants or [None]))
    switches = [each for each in sheet.options_of(variant) if isinstance(each.default, bool)]
    options = {each.slug: draw(st.booleans()) for each in switches if each.slug != "pots"}
    return sheet.rules(variant, options, draw(st.sampled_from(sheet.seats)))


def begun(
    rules: Rules,
    names: tuple[str, ...],
    dealer: str,
    chosen: Mapping[str, str],
    marked: Mapping[str, tuple[str, ...]],
    active: tuple[str, ...] | None = None,
) -> HandForm:
    """A form with some answers."""
    turn = Turn(rules.seating, rules.table(names, dealer), None)
    return HandForm(rules, names, turn, dealer, active, dict(chosen), dict(marked))


@st.composite
def forms(draw: st.DrawFn) -> HandForm:
    """A hand answered to the end: each question as it comes up, those that need no answer now and then."""
    rules = draw(some_rules())
    names = NAMES[: rules.seats]
    form = begun(rules, names, draw(st.sampled_from(names)), {}, {})
    answered: set[str] = set()
    while left := [each for each in form.now.questions if each.question.name not in answered]:
        question, offered = left[0].question, [option.value for option in left[0].offered]
        answered.add(question.name)
        if not question.needed and draw(st.booleans()):
            continue
        chosen, marked = dict(form.chosen), dict(form.marked)
        if question.many:
            marked[question.name] = tuple(each for each in offered if draw(st.booleans()))
        elif question.options:
            chosen[question.name] = draw(st.sampled_from(offered))
        elif question.needed:
            counts = sorted(rules.pack.countable)
            chosen[question.name] = str(draw(st.sampled_from(counts)))
        form = begun(rules, names, form.dealer, chosen, marked).fitted
        answered &= {each.question.name for each in form.now.questions}
    return form.fitted


def whole_record(form: HandForm) -> dict[str, Any]:
    """A form's draft, with the keys added by a session."""
    rules = form.rules
    said = {"game": rules.game, "rules": rules.variant, "players": list(form.names)}
    options = {slug: value for slug, value in rules.options.items() if isinstance(value, bool)}
    draft = {key: value for key, value in form.draft.items() if key != "blind_round"}
    return {**{k: v for k, v in said.items() if v is not None}, "options": options, **draft}
