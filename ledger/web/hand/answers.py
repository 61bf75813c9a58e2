"""Reads answers by a description: which questions are open, what may be said, what no longer fits.

The script on the page does the same with the same description; a test holds the two against each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.web.frame.figures import whole_number
from ledger.web.hand.description import AnswerOption, Cases, Description, Question

Answers = Mapping[str, Sequence[str]]
"""What is said by name: one value, or several where several may be."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that is asked now: the answers offered, and what is ``said``."""

    question: Question
    offered: tuple[AnswerOption, ...]
    said: tuple[str, ...]
    is_missing: bool


@dataclass(frozen=True, slots=True)
class FormState:
    """What is asked now, and all that is so: of answers and seats, by name."""

    asked: tuple[OpenQuestion, ...]
    facts: Mapping[str, tuple[str, ...]]

    def find(self, question: Question) -> OpenQuestion | None:
        """Find a question among those that are asked."""
        return next((each for each in self.asked if each.question is question), None)

    @property
    def missing(self) -> tuple[Question, ...]:
        """What must be said before the hand can be scored."""
        return tuple(each.question for each in self.asked if each.is_missing)

    def near(self, cases: Cases) -> bool:
        """Whether one of these cases holds."""
        return holds(cases, self.facts)


def read(description: Description, seats: Answers, said: Answers) -> FormState:
    """Read what is ``said``, each answer after those before it; what is not offered is passed over.

    ``seats`` are the ``active`` ones and who has the ``lead``. A question may depend on one after it: then
    what was said there counts as it stands.
    """
    facts = {name: tuple(values) for name, values in {**said, **seats}.items() if values}
    facts["others"] = facts["active"]
    fixed = set[str]()
    asked: list[OpenQuestion] = []
    for question in description.questions:
        name = question.name
        given = tuple(said.get(name, ()))
        if name not in fixed:
            facts.pop(name, None)
        if not holds(question.when, facts):
            continue
        offered = tuple(each for each in question.options if _is_offered(question, each, facts))
        may = {each.value for each in offered}
        kept = tuple(each for each in given if each in may or not question.options)
        kept = kept if question.many else kept[:1]
        if not kept and question.usual in may:
            kept = (question.usual,)
        if kept:
            facts[name] = kept
        for option in offered:
            if option.value in kept:
                facts.update((key, (value,)) for key, value in option.sets.items())
                fixed |= option.sets.keys()
        if name == "bidder":
            facts["others"] = tuple(seat for seat in facts["active"] if seat not in kept)
        missing = question.needed and _is_missing(question, kept, said)
        asked.append(OpenQuestion(question, offered, kept, missing))
    return FormState(tuple(asked), facts)


def holds(cases: Cases, facts: Answers) -> bool:
    """Say whether one of the cases holds.

    >>> facts = {"bid": ("solo",), "tricks_won": ("5",), "bidder": ("Ann",), "lead": ("Ann",)}
    >>> holds([{"bid": ["solo"], "conceded": False}], facts), holds([], facts)
    (True, False)
    >>> holds([{"tricks_won": {"from": 6, "to": 7}}, {"bidder": {"as": "lead"}}], facts)
    True
    """
    return any(all(_is_so(facts, name, each) for name, each in case.items()) for case in cases)


def _is_so(facts: Answers, name: str, wanted: Any) -> bool:
    values = facts.get(name, ())
    if isinstance(wanted, bool):
        return bool(values) is wanted
    if isinstance(wanted, list):
        return any(value in wanted for value in values)
    if "not" in wanted:
        return not any(value in wanted["not"] for value in values)
    if "as" in wanted:
        return any(value in facts.get(wanted["as"], ()) for value in values)
    return any(wanted["from"] <= (_number(value)) <= wanted["to"] for value in values)


def _is_offered(question: Question, option: AnswerOption, facts: Answers) -> bool:
    is_seat = question.of and not option.value.startswith("<")
    return (not is_seat or option.value in facts.get(question.of, ())) and holds(option.when, facts)


def _is_missing(question: Question, kept: Sequence[str], said: Answers) -> bool:
    if question.options:
        return not kept
    given = (*kept[:1], *said.get(question.instead, ())[:1])
    return not any(_counts(question, each) for each in given)


def _counts(question: Question, text: str) -> bool:
    number = _number(text)
    return 0 <= number <= question.most and number not in question.never


def _number(text: str) -> int:
    """Read a count; what is none is -1."""
    found = whole_number(text)
    return found if isinstance(found, int) else -1
