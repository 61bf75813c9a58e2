"""The answers of the hand form as they stand on the page, in plain values: the same row is drawn once.

Between two hands little of a form changes, and of most questions nothing: what was drawn of a row of answers
is kept by all that it was drawn of, and shown to the next form that looks the same.
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

_KEPT = 512
"""How many rows are kept, each of some 2 KB: the forms of a few tables."""

_KINDS = {"suits": "suit-tap", "cards": "card-tap"}


class Tap(NamedTuple):
    """One answer. What is not ``offered`` is out of sight, unless it has a ``place`` of its own.

    ``kind`` is its style, ``look`` that of its question; ``label`` what is heard of it, where that is not
    what is read. At a ``seat`` a badge stands, the ``note``. ``hints`` are words, and whether they hold.
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
    said: bool = False
    hints: tuple[tuple[str, bool], ...] = ()


def init_app(app: Flask) -> None:
    """Let templates ask for the answers of a question, and keep what is drawn of them."""
    app.jinja_env.globals.update(taps_of=taps, seats_of=seats, kept=kept)


def taps(
    form: HandForm, questions: Sequence[Question], cards: Sequence[str] = ()
) -> tuple[Tap, ...]:
    """Return the answers of questions that stand together, or those that are among ``cards``."""
    return tuple(tap for each in questions for tap in _taps(form, each, cards))


def seats(form: HandForm, question: Question) -> tuple[Tap, ...]:
    """Return the seats of a question and what else may be said, which may take the place of a seat."""
    return tuple(_seats(form, question))


def kept(macro: Macro, *values: Hashable) -> Markup:
    """Return what a macro draws of plain values, drawn once for each language.

    The macro must be imported without context, so that it knows of nothing but these values.
    """
    return _drawn(macro, reader().tag, values)


# Cached for the benchmark tapping: drawing the fifty buttons of a hand form takes most of its time.
@lru_cache(_KEPT)
def _drawn(macro: Macro, _tag: str, values: tuple[Hashable, ...]) -> Markup:
    drawn: Any = macro(*values)
    return Markup(drawn)  # noqa: S704 - a macro makes its values safe


def _taps(form: HandForm, question: Question, cards: Sequence[str]) -> Iterator[Tap]:
    look = question.look
    if question.otherwise:
        silent = not form.chosen.get(question.name)
        yield Tap(question.name, "", question.otherwise, look, said=silent)
    now = _now(form, question)
    is_switch = look == "switch"
    hints = tuple((words, form.now.near(when)) for words, when in question.hints if is_switch)
    for option in question.options:
        if not cards or option.value in cards:
            yield Tap(
                name=question.name,
                value=option.value,
                words=option.words,
                look=look,
                type="checkbox" if is_switch else "radio",
                kind=_KINDS.get(look, ""),
                label=option.words if look == "cards" else "",
                note=option.note,
                offered=id(option) in now,
                said=now.get(id(option), False),
                hints=hints,
            )


def _seats(form: HandForm, question: Question) -> Iterator[Tap]:
    now = _now(form, question)
    has_places = question.look == "seats"

    def other(option: AnswerOption) -> Tap:
        return Tap(
            name=question.name,
            value=option.value,
            words=option.words,
            look=question.look,
            kind="other",
            offered=id(option) in now,
            said=now.get(id(option), False),
        )

    moved = next((each for each in question.options if each.at), None)
    at = form.now.facts.get(moved.at, ("",))[0] if moved and id(moved) in now else ""
    for option in question.options:
        value = option.value
        if option.at:
            continue
        if moved and has_places and value == at:
            yield other(moved)
            yield Tap(
                name=question.name,
                value=value,
                words=option.words,
                look=question.look,
                label=option.words,
                seat=value,
                offered=False,
            )
        elif value.startswith("<"):
            yield other(option)
        else:
            yield Tap(
                name=question.name,
                value=value,
                words=option.words,
                look=question.look,
                type="checkbox" if question.many else "radio",
                label=option.words,
                note=form.badge(value) if has_places else "",
                seat=value if has_places else "",
                place=has_places,
                offered=id(option) in now,
                said=now.get(id(option), False),
            )
    if moved and not at:
        yield other(moved)


def _now(form: HandForm, question: Question) -> Mapping[int, bool]:
    """Return the options offered now, by identity as two may send the same, and whether each is said."""
    found = form.now.find(question)
    return {id(each): each.value in found.said for each in found.offered} if found else {}
