"""The inputs of the hand form: their names and their places in a hand record.

Inputs of the result have the names of their keys in `engine.record.results`.
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
        for choice in key.choices
        for name in choice.sets
    },
    **{key.path: key.name for key in QUESTIONS},
    **{name: name for name in ("reason", "replace", "dealer", "lead", "active", "note")},
}
"""Maps a place in the hand record to the name of its input."""


def states(key: ResultKey, text: str) -> Stated:
    """Return the keys that an answer sets and their values; the engine rejects invalid answers."""
    if key.kind is ResultKind.INTEGER:
        return {key.name: whole_number(text)}
    return next((choice.sets for choice in key.choices if choice.value == text), {key.name: text})
