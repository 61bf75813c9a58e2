"""The interpreter of the form's description: open questions, offered answers and missing ones.

The page's script interprets the same description; a test compares both for every combination of answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.web.frame.figures import whole_number
from ledger.web.hand.description import AnswerOption, Cases, Description, Question
from ledger.web.hand.fields import card_words

Answers = Mapping[str, Sequence[str]]
"""Answers by question: one value, or several if the question allows it."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that is open now, with the options offered and the valid ``answers`` given."""

    question: Question
    offered: tuple[AnswerOption, ...]
    answers: tuple[str, ...]
    is_missing: bool


@dataclass(frozen=True, slots=True)
class FormState:
    """The open questions, and the facts that conditions refer to: answers and seats by name."""

    questions: tuple[OpenQuestion, ...]
    facts: Mapping[str, tuple[str, ...]]

    def find(self, question: Question) -> OpenQuestion | None:
        """Return the open question made of this very ``question`` object, or None if it is not open."""
        return next((item for item in self.questions if item.question is question), None)

    @property
    def missing(self) -> tuple[Question, ...]:
        """The questions that must be answered before the hand can be scored."""
        return tuple(item.question for item in self.questions if item.is_missing)

    def near(self, cases: Cases) -> bool:
        """Return whether one of these cases holds."""
        return holds(cases, self.facts)


def read(description: Description, seats: Answers, answers: Answers) -> FormState:
    """Return the state of a form with these answers. Answers that are not offered are ignored.

    A question without an answer gets its usual one. ``seats`` are the ``active`` ones, the ``lead`` and the
    ``dealer``, and in ``left_open`` the questions whose answers the entered cards don't show. Questions are
    evaluated in order; a condition on a later question uses its answer unchecked.
    """
    facts = {name: tuple(values) for name, values in {**answers, **seats}.items() if values}
    facts["others"] = facts["active"]
    fixed = set[str]()
    questions: list[OpenQuestion] = []
    for question in description.questions:
        name = question.name
        if name not in fixed:
            facts.pop(name, None)
        if not holds(question.when, facts):
            continue
        offered = tuple(
            option for option in question.options if _is_offered(question, option, facts)
        )
        values = {option.value for option in offered}
        valid = tuple(
            text for text in answers.get(name, ()) if text in values or not question.options
        )
        valid = valid if question.many else valid[:1]
        if not valid and question.usual in values:
            valid = (question.usual,)
        if valid:
            facts[name] = valid
        for option in offered:
            if option.value in valid:
                facts.update((key, (value,)) for key, value in option.sets.items())
                fixed |= option.sets.keys()
        if name == "bidder":
            facts["others"] = tuple(seat for seat in facts["active"] if seat not in valid)
        missing = question.needed and _is_missing(question, valid, answers)
        missing |= (
            bool(valid) and words_left(question, valid[0]) > 0 and not holds(question.fewer, facts)
        )
        questions.append(OpenQuestion(question, offered, valid, missing))
    return FormState(tuple(questions), facts)


def holds(cases: Cases, facts: Answers) -> bool:
    """Return whether one of the cases holds.

    >>> facts = {"bid": ("solo",), "tricks_won": ("5",), "bidder": ("Ann",), "lead": ("Ann",)}
    >>> holds([{"bid": ["solo"], "conceded": False}], facts), holds([], facts)
    (True, False)
    >>> holds([{"tricks_won": {"from": 6, "to": 7}}, {"bidder": {"as": "lead"}}], facts)
    True
    """
    return any(
        all(_is_met(condition, name, facts) for name, condition in case.items()) for case in cases
    )


def _is_met(condition: Any, name: str, facts: Answers) -> bool:
    values = facts.get(name, ())
    if isinstance(condition, bool):
        return bool(values) is condition
    if isinstance(condition, list):
        return any(value in condition for value in values)
    if "not" in condition:
        return not any(value in condition["not"] for value in values)
    if "as" in condition:
        return any(value in facts.get(condition["as"], ()) for value in values)
    return any(condition["from"] <= _count(value) <= condition["to"] for value in values)


def _is_offered(question: Question, option: AnswerOption, facts: Answers) -> bool:
    is_seat = question.of and not option.value.startswith("<")
    return (not is_seat or option.value in facts.get(question.of, ())) and holds(option.when, facts)


def _is_missing(question: Question, valid: Sequence[str], answers: Answers) -> bool:
    if question.options:
        return not valid
    counts = map(_count, (*valid[:1], *answers.get(question.instead, ())[:1]))
    return not any(0 <= count <= question.most and count not in question.never for count in counts)


def words_left(question: Question, text: str) -> int:
    """Return the number of words that a text lacks; negative for too many, and for a question of no text."""
    return question.words - len(card_words(text))


def _count(text: str) -> int:
    """Return a typed count, or -1 for any other text."""
    count = whole_number(text)
    return count if isinstance(count, int) else -1
