"""A stored verdict: values, which pages render in any language."""

import json
from typing import Any

from engine.rules.verdict import Step, verdict_in_words
from tests.engine.games.test_german_solo import german
from tests.engine.hands import crazy, passed, scored, six
from tests.engine.words.test_language import GERMAN

HANDS = (
    crazy(7, "solo-in-hearts", 74),
    crazy(4, "solo", 85),
    german("frage", 5, stopped=True, first_tricks_won=True),
    passed("six-bid", 3),
    six(5, "misere", 4),
)


def again(value: Any) -> Any:
    """Write a value as JSON and read it again, as the books do."""
    return json.loads(json.dumps(value))


def test_a_kept_verdict_is_told_as_it_was_told_at_once() -> None:
    """Every key of the answer, every sentence of its explanation."""
    for hand in HANDS:
        verdict = scored(hand)
        assert verdict_in_words(again(verdict.to_stored())) == again(verdict.to_mapping())


def test_a_kept_verdict_has_no_sentence_in_it() -> None:
    """Only keys, values and sources: the steps as the engine made them."""
    for hand in HANDS:
        verdict = scored(hand)
        stored = again(verdict.to_stored())
        assert "explanation" not in stored
        assert all(step.keys() == {"key", "values", "source"} for step in stored["steps"])
        assert tuple(map(Step.from_mapping, stored["steps"])) == verdict.steps


def test_a_kept_verdict_is_told_in_another_language() -> None:
    """From the same values, long after it was scored."""
    stored = again(scored(HANDS[2]).to_stored())
    assert verdict_in_words(stored, GERMAN)["explanation"][:2] == [
        "5 von 8 Stichen, 5 nötig: gewonnen",
        "Frage zählt 2",
    ]


def test_a_verdict_of_older_books_is_told_as_it_stands_there() -> None:
    """They kept the English sentences of their day."""
    answer = again(scored(HANDS[0]).to_mapping())
    answer["explanation"][0] = "seventy-four points, which is fourteen over"
    assert verdict_in_words(answer) == answer
