"""The answers of the hand form as plain values, from which macros render cached rows.

Between two hands few rows of the form change, so the HTML of a row is cached by the values it is made of.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from flask import Flask
from jinja2.runtime import Macro
from markupsafe import Markup

from ledger.web.hand.description import AnswerOption, Question
from ledger.web.hand.form import HandForm
from ledger.words.translation import reader

_ROWS = 512
"""The cached rows, about 2 KB each: the forms of a few tables."""

_KINDS = {"suits": "suit-tap", "cards": "card-tap"}


class Tap(NamedTuple):
    """One answer. It is hidden if it is not ``offered``, unless it is a seat with a fixed ``place``.

    ``kind`` is its style and ``look`` its question's; ``label`` is for screen readers; ``note`` is the badge
    of a ``seat``. ``hints`` are pairs of words and whether they apply.
    """

    name: str
    value: str
    words: str
    look: str
    type: str = "radio"
    kind: str = ""
    label: str = ""
    note: str = ""
    seat: str = ""
    place: bool = False
    offered: bool = True
    checked: bool = False
    hints: tuple[tuple[str, bool], ...] = ()


def init_app(app: Flask) -> None:
    """Register the functions that return a question's answers and render cached rows."""
    app.jinja_env.globals.update(taps_of=taps, seats_of=seats, cached=cached)


def taps(
    form: HandForm, questions: Sequence[Question], cards: Sequence[str] = ()
) -> tuple[Tap, ...]:
    """Return the answers of the questions in a row, or those among ``cards``, including hidden ones."""
    return tuple(tap for question in questions for tap in _taps(form, question, cards))


def seats(form: HandForm, question: Question) -> tuple[Tap, ...]:
    """Return the seats of a question and its other answers, one of which may replace a seat."""
    return tuple(_seats(form, question))


def cached(macro: Macro, *values: Hashable) -> Markup:
    """Return a macro's output for plain values, cached for each language.

    The macro must be imported without context, so that its output depends on nothing else.
    """
    return _rendered(macro, reader().tag, values)


# Cached for the benchmark tapping: rendering the fifty buttons of a hand form takes most of its time.
@lru_cache(_ROWS)
def _rendered(macro: Macro, _tag: str, values: tuple[Hashable, ...]) -> Markup:
    output: Any = macro(*values)
    return Markup(output)  # noqa: S704 - a macro escapes its values


def _tap(question: Question, option: AnswerOption, now: Mapping[int, bool], **more: Any) -> Tap:
    checked = now.get(id(option))
    tap = Tap(question.name, option.value, option.words, question.look)
    return tap._replace(offered=checked is not None, checked=bool(checked), **more)


def _taps(form: HandForm, question: Question, cards: Sequence[str]) -> Iterator[Tap]:
    look = question.look
    if question.otherwise:
        is_unanswered = not form.chosen.get(question.name)
        yield Tap(question.name, "", question.otherwise, look, checked=is_unanswered)
    now = _now(form, question)
    is_switch = look == "switch"
    hints = tuple((words, form.now.near(when)) for words, when in question.hints if is_switch)
    for option in question.options:
        if not cards or option.value in cards:
            yield _tap(
                question,
                option,
                now,
                type="checkbox" if is_switch else "radio",
                kind=_KINDS.get(look, ""),
                label=option.words if look == "cards" else "",
                note=option.note,
                hints=hints,
            )


def _seats(form: HandForm, question: Question) -> Iterator[Tap]:
    now = _now(form, question)
    has_places = question.look == "seats"
    moved = next((option for option in question.options if option.at), None)
    at = form.now.facts.get(moved.at, ("",))[0] if moved and id(moved) in now else ""
    for option in question.options:
        value, words = option.value, option.words
        if option.at:
            continue
        if moved and has_places and value == at:
            yield _tap(question, moved, now, kind="other")
            yield _tap(question, option, {}, label=words, seat=value)
        elif value.startswith("<"):
            yield _tap(question, option, now, kind="other")
        else:
            yield _tap(
                question,
                option,
                now,
                type="checkbox" if question.many else "radio",
                label=words,
                note=form.badge(value) if has_places else "",
                seat=value if has_places else "",
                place=has_places,
            )
    if moved and not at:
        yield _tap(question, moved, now, kind="other")


def _now(form: HandForm, question: Question) -> Mapping[int, bool]:
    """Return the offered options, by identity as two may have one value, and whether each is chosen.

    Empty if the question is not open.
    """
    item = form.now.find(question)
    return {id(option): option.value in item.answers for option in item.offered} if item else {}
