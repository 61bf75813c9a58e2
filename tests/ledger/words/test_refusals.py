"""Refusals of the engine are translated into every language."""

import re

import pytest

from engine.errors.codes import CODES, examples
from engine.words.language import Sentence
from engine.words.sentences import say, word
from ledger.words.languages import LANGUAGES
from tests.catalogues import OTHERS
from tests.refusals_page import violation_of

IDENTIFIER = re.compile(
    r"[a-z]+(?:[_.-][a-z]+)+|\b(?:[A-Z][a-z]{2}|[A-Z0-9]{1,2}|frog pot|widow)\b", re.ASCII
)
"""Names that a record contains: keys, slugs, players, cards."""
ENGLISH_WORD = re.compile(
    r"\b(?:the|and|of|to|not|is|are|must|cannot|with|say|trick|card|hand)\b", re.IGNORECASE
)


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("code", CODES)
def test_every_refusal_is_said_without_a_word_of_english(code: str, tag: str) -> None:
    """Its example draws the sentence, with every sentence inside it."""
    message = violation_of(code, examples()[code]).message
    assert isinstance(message, Sentence)
    translated = LANGUAGES[tag].translate(message)
    assert translated != message
    assert not re.search(r"[{}]", translated)
    assert not ENGLISH_WORD.findall(IDENTIFIER.sub("", translated)), translated


def test_a_word_of_the_games_is_said_among_others_in_each_language() -> None:
    """It is translated where several are joined."""
    only = say(
        "{bid:term}: only {suits:or} can be trumps, not {trump:term}.",
        bid="Solo",
        suits=[word("spades"), word("clubs")],
        trump="hearts",
    )
    assert only == "Solo: only spades or clubs can be trumps, not hearts."
    german = LANGUAGES["de"].translate(only)
    assert german == "Solo: Trumpf kann nur Pik oder Kreuz sein, nicht Herz."


def test_of_nothing_nothing_is_said() -> None:
    """Where nothing can be chosen a sentence is still one."""
    assert say("One of {all:or}, {all:and}.", all=()) == "One of , ."
