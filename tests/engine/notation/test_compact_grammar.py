"""The grammar of the compact line for parser generators agrees with the reader."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.notation
from engine.errors import Refused, Violation
from engine.games import GAMES
from engine.guide.random_hands import random_hands
from engine.notation.compact import read, write
from engine.notation.compact_text import EXPECTED, write_value
from tests.engine.notation.test_compact_mutations import mutated
from tests.support.abnf import Grammar
from tests.support.tree import ROOT

TEXT = (Path(engine.notation.__file__).parent / "compact_line.abnf").read_text(encoding="utf-8")
GRAMMAR = Grammar(TEXT)
BEYOND = ("seat", "dealer", "part", "value", "length")
"""What no grammar can require: a seat of this table, a key only once, a number and a length within bounds."""

NUMBERS = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)


def lines(count: int) -> list[str]:
    """Return the lines of random hands of every game."""
    hands = [random_hands(game, seed="grammar") for game in GAMES]
    return [write(next(hands[number % len(hands)])) for number in range(count)]


def fault(line: str) -> Violation | None:
    """Return the first violation of a line, or `None`."""
    try:
        read(line)
    except Refused as refused:
        return refused.violations[0]
    return None


def test_the_document_has_the_grammar() -> None:
    """For people without the source."""
    assert TEXT in (ROOT / ".docs" / "HAND_RECORD.md").read_text(encoding="utf-8")


def test_the_grammar_has_every_written_line() -> None:
    """A thousand random hands."""
    assert [line for line in lines(1000) if not GRAMMAR.matches("line", line)] == []


def test_the_grammar_and_the_reader_reject_the_same_lines() -> None:
    """A line that can be read is in the grammar, even if its check characters or its spelling are wrong."""
    rejected: Counter[str] = Counter()
    for line in mutated(lines(60), 2500):
        text = line.strip()
        violation = fault(text)
        if violation is None or violation.code != "line-malformed":
            assert GRAMMAR.matches("line", text), text
            continue
        (reason,) = (key for key, words in EXPECTED.items() if f": {words} is" in violation.message)
        if not GRAMMAR.matches("line", text):
            rejected[reason] += 1
        else:
            assert reason in BEYOND, (text, violation.message)
    assert rejected.keys() >= EXPECTED.keys() - {"length", "bracket"}


@given(st.one_of(NUMBERS, st.text(), st.from_regex(r"-?[0-9.e-]+", fullmatch=True)))
def test_the_grammar_tells_numbers_from_texts(value: float | str) -> None:
    """A number is written as the rule requires, and no text is."""
    assert GRAMMAR.matches("number", write_value(value)) is not isinstance(value, str)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("text", "$."),
        ("text", "Zoë,"),
        ("value", "(a=1,b=(=))"),
        ("value", "(1,a=2)"),
        ("trick", "-S9?"),
        ("trick", "-9"),
        ("key", "a:b"),
        ("key", "x-a:b"),
        ("spit", "6"),
        ("number", "-7"),
        ("number", "1.0e-07"),
        ("number", "1e16"),
        ("number", "1.e5"),
        ("value", "!n"),
    ],
)
def test_rules_of_the_grammar_by_example(rule: str, text: str) -> None:
    """Some texts that a rule has, and some that it must not have."""
    wrong = {"Zoë,", "(1,a=2)", "-9", "a:b", "6", "1.e5", "!n"}
    assert GRAMMAR.matches(rule, text) is (text not in wrong)
