"""The data that describes the questions of a hand form, for the form and for its script.

A condition is a list of cases, one of which must hold. A case maps names of answers and seats to their
conditions: a list of values, one of which was chosen; ``{"not": [...]}``, none of them; ``True`` or
``False``, any answer or none; ``{"from": ..., "to": ...}``, a number in this range; ``{"as": ...}``, the same
value as another name's.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ledger.words.translation import translate

Cases = Sequence[Mapping[str, Any]]

ALWAYS: tuple[Mapping[str, Any], ...] = ({},)


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """An answer to a question: the submitted value, its words, an additional note, and its condition.

    Choosing it also ``sets`` the answers of other questions. ``at`` names the seat in whose place it is
    shown.
    """

    value: str
    words: str
    note: str = ""
    when: Cases = ALWAYS
    sets: Mapping[str, str] = field(default_factory=dict)
    at: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of cards, collapsed under ``words`` unless the condition ``near`` holds."""

    words: str
    cards: tuple[str, ...]
    near: Cases


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a hand.

    ``name`` is its input, ``label`` its heading, ``noun`` names it where it is missing. ``look`` is the style
    of its answers; a hint is shown if its condition holds. Seats are offered if they are among the seats
    ``of`` a name. A ``needed`` question, or the one named ``instead``, must be answered before the hand can
    be scored. ``many`` allows several answers. ``otherwise`` is the meaning of no answer if few have to
    answer; ``usual`` is the answer chosen by default, shown with the question before. A number is at most
    ``most`` and not among ``never``. A text must have ``words`` words unless a condition of ``fewer`` holds;
    ``example`` is a valid beginning of it.
    """

    name: str
    look: str
    label: str
    noun: str = ""
    hints: tuple[tuple[str, Cases], ...] = ()
    when: Cases = ALWAYS
    options: tuple[AnswerOption, ...] = ()
    of: str = ""
    needed: bool = False
    many: bool = False
    otherwise: str = ""
    usual: str = ""
    instead: str = ""
    most: int = 0
    never: tuple[int, ...] = ()
    words: int = 0
    fewer: Cases = ()
    example: str = ""
    rows: tuple[Row, ...] = ()

    def in_words(self) -> "Question":
        """Return the question in the reader's language."""
        return replace(
            self,
            label=translate(self.label),
            noun=translate(self.noun),
            otherwise=translate(self.otherwise),
            hints=tuple((translate(words), when) for words, when in self.hints),
            options=tuple(
                replace(option, words=translate(option.words), note=translate(option.note))
                for option in self.options
            ),
            rows=tuple(replace(row, words=translate(row.words)) for row in self.rows),
        )

    def to_mapping(self) -> dict[str, Any]:
        """Return the question as data for the script, without empty values."""
        data = {
            "name": self.name,
            "label": self.noun or self.label,
            "when": _cases(self.when),
            "of": self.of,
            "needed": self.needed,
            "many": self.many,
            "usual": self.usual,
            "instead": self.instead,
            "most": self.most,
            "never": list(self.never),
            "words": self.words,
            "fewer": _cases(self.fewer),
            "options": [_written(option) for option in self.options],
            "hints": [_cases(when) for _, when in self.hints],
            "rows": [_cases(row.near) for row in self.rows],
        }
        return {
            key: value
            for key, value in data.items()
            if value not in ("", False, 0, [], [None], None)
        }


@dataclass(frozen=True)
class Description:
    """The questions of a hand at one table. ``count`` of the ``seats`` play, or all if it is 0."""

    seats: tuple[str, ...]
    count: int
    questions: tuple[Question, ...]

    @property
    def blocks(self) -> list[tuple[Question, ...]]:
        """The questions grouped as on the page, switches last.

        Numbers are side by side, and so are the inputs of the cards; a question with a usual answer is beside
        the one before it.
        """
        blocks: list[tuple[Question, ...]] = []
        for question in self.questions:
            if question.look == "switch":
                continue
            is_listed = question.look in ("number", "play")
            if question.usual or (is_listed and blocks[-1][0].look == question.look):
                blocks[-1] += (question,)
            else:
                blocks.append((question,))
        switches = tuple(question for question in self.questions if question.look == "switch")
        return [*blocks, switches] if switches else blocks

    def to_mapping(self) -> dict[str, Any]:
        """Return the description as data for the script."""
        questions = [question.to_mapping() for question in self.questions]
        return {"seats": list(self.seats), "count": self.count, "questions": questions}

    def in_words(self) -> "Description":
        """Return the description in the reader's language."""
        return replace(self, questions=tuple(question.in_words() for question in self.questions))

    # Cached for the benchmark tapping: every page with the form contains it.
    @cached_property
    def script(self) -> str:
        """The JSON that the script reads, safe inside HTML."""
        return as_script(self.to_mapping())


def as_script(value: Mapping[str, Any]) -> str:
    """Return a value as JSON that is safe inside HTML."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _cases(cases: Cases) -> list[dict[str, Any]] | None:
    return None if tuple(cases) == tuple(ALWAYS) else [dict(case) for case in cases]


def _written(option: AnswerOption) -> list[Any]:
    """Return an answer as a list for the script, without empty values at the end and without its words."""
    row = [option.value, _cases(option.when), dict(option.sets) or None, option.at]
    while not row[-1]:
        row.pop()
    return row
