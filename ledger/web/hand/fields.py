"""The inputs of the hand form by name: which place in a hand record each is for, and what it is called.

Those of the result come from `engine.record.results`, each under its key's name.
"""

from collections.abc import Mapping

from engine.record.results import RESULT, ResultKey, ResultKind, Stated
from ledger.web.frame.figures import whole_number

CONTRACT = ("bidder", "bid", "trump", "called", "partner")
MARKS = ("doubled", "redoubled")
QUESTIONS = tuple(key for key in RESULT.values() if key.asked_if)
FIELDS = (*CONTRACT, *(key.name for key in QUESTIONS), "note", "blind_round")
YES, NO = "yes", "no"

INPUTS: Mapping[str, str] = {
    "contract": "bidder",
    **{f"contract.{name}": name for name in (*CONTRACT, *MARKS)},
    "contract.alone": "partner",
    "blind_round": "blind_round",
    "blind_round.done": "blind_round",
    **{
        RESULT[name].path: key.name
        for key in QUESTIONS
        for each in key.choices
        for name in each.sets
    },
    **{key.path: key.name for key in QUESTIONS},
    **{name: name for name in ("reason", "replace", "dealer", "lead", "active", "note")},
}
"""Which input of the form a place in the hand record belongs to."""


def states(key: ResultKey, text: str) -> Stated:
    """Say which keys an answer states, and what; the engine refuses what is not an answer."""
    if key.kind is ResultKind.INTEGER:
        return {key.name: whole_number(text)}
    return next((each.sets for each in key.choices if each.value == text), {key.name: text})
