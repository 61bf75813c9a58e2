"""The values that a hand's questions are described by: plain data, for the form and for its script.

Conditions are cases, of which one must hold, each a table of what must be so of answers and seats by name:
a list, that one of these is said; ``{"not": …}``, that none of them is; ``True`` or ``False``, that something
is said or nothing; ``{"from": …, "to": …}``, a number between; ``{"as": …}``, the same as another is.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ledger.words.translation import translate

Cases = Sequence[Mapping[str, Any]]

ALWAYS: tuple[Mapping[str, Any], ...] = ({},)


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """One answer: what is sent, its words, a word more, when it is offered, and what else it says.

    ``at`` names the seat in whose place it stands.
    """

    value: str
    words: str
    note: str = ""
    when: Cases = ALWAYS
    sets: Mapping[str, str] = field(default_factory=dict)
    at: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Cards that stand together; they are folded away under ``words`` unless it is ``near``."""

    words: str
    cards: tuple[str, ...]
    near: Cases


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a hand.

    ``name`` is its input, ``label`` its heading, ``noun`` what is missing without it. ``look`` is how its
    answers stand on the page; of ``hints`` those stand there that hold. Of seats only those are offered that
    are among ``of``. A hand can't be scored without what is ``needed``, or what stands ``instead``.
    Of ``many``, several may be said. ``otherwise`` is what saying nothing means, where few have to answer;
    ``usual`` the answer that is said already, beside the question before it, until another is.
    A number goes up to ``most``, but for those ``never`` counted.
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
    rows: tuple[Row, ...] = ()

    def in_words(self) -> "Question":
        """Return it in the words of its reader's language."""
        return replace(
            self,
            label=translate(self.label),
            noun=translate(self.noun),
            otherwise=translate(self.otherwise),
            hints=tuple((translate(words), when) for words, when in self.hints),
            options=tuple(
                replace(each, words=translate(each.words), note=translate(each.note))
                for each in self.options
            ),
            rows=tuple(replace(each, words=translate(each.words)) for each in self.rows),
        )

    def to_mapping(self) -> dict[str, Any]:
        """Write it as the script reads it: what holds nothing is left out."""
        said = {
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
            "options": [_written(each) for each in self.options],
            "hints": [_cases(when) for _, when in self.hints],
            "rows": [_cases(row.near) for row in self.rows],
        }
        return {
            key: value
            for key, value in said.items()
            if value not in ("", False, 0, [], [None], None)
        }


@dataclass(frozen=True)
class Description:
    """The questions of a hand at one table. ``count`` of the ``seats`` play, all where it is 0."""

    seats: tuple[str, ...]
    count: int
    questions: tuple[Question, ...]

    @property
    def blocks(self) -> list[tuple[Question, ...]]:
        """The questions as they stand on the page: what is only ever said comes last.

        Numbers stand side by side; what has a usual answer stands with the question before it.
        """
        found: list[tuple[Question, ...]] = []
        for each in self.questions:
            if each.look == "switch":
                continue
            if each.usual or (each.look == "number" and found[-1][0].look == "number"):
                found[-1] += (each,)
            else:
                found.append((each,))
        said = tuple(each for each in self.questions if each.look == "switch")
        return [*found, said] if said else found

    def to_mapping(self) -> dict[str, Any]:
        """Write it as the script reads it."""
        asked = [each.to_mapping() for each in self.questions]
        return {"seats": list(self.seats), "count": self.count, "questions": asked}

    def in_words(self) -> "Description":
        """Return it in the words of its reader's language."""
        return replace(self, questions=tuple(each.in_words() for each in self.questions))

    @property
    def script(self) -> str:
        """What the script reads of it, as a page may hold it."""
        return as_script(self.to_mapping())


def as_script(value: Mapping[str, Any]) -> str:
    """Write a value as JSON that can stand on a page."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _cases(cases: Cases) -> list[dict[str, Any]] | None:
    return None if tuple(cases) == tuple(ALWAYS) else [dict(case) for case in cases]


def _written(option: AnswerOption) -> list[Any]:
    """Write an answer as a row, without what is empty at its end; its words stand on the page."""
    row = [option.value, _cases(option.when), dict(option.sets) or None, option.at]
    while not row[-1]:
        row.pop()
    return row
