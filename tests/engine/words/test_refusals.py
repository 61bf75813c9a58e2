"""What the engine refuses is said in every language."""

import re

import pytest

from engine.errors.catalogue import CATALOGUE
from engine.words.english import ENGLISH
from engine.words.language import Language, Sentence
from engine.words.languages import NAMES, language_data
from engine.words.sentences import say, word
from tests.catalogues import said_in
from tests.refusals_page import violation_of
from tests.test_sentences import fields

OTHERS = [tag for tag in NAMES if tag != ENGLISH.tag]

NAMED = re.compile(
    r"[a-z]+(?:[_.-][a-z]+)+|\b(?:[A-Z][a-z]{2}|[A-Z0-9]{1,2}|frog pot|widow)\b", re.ASCII
)
"""What a record itself calls by its name: keys, slugs, players, cards."""
ENGLISH_WORD = re.compile(
    r"\b(?:the|and|of|to|not|is|are|must|cannot|with|say|trick|card|hand)\b", re.IGNORECASE
)


@pytest.mark.parametrize("tag", OTHERS)
def test_every_sentence_of_the_engine_has_its_translation(tag: str) -> None:
    """And none is kept that nobody says."""
    said, held = set(said_in("engine")), set(language_data(tag).sentences)
    assert sorted(said - held) == []
    assert sorted(held - said) == []


@pytest.mark.parametrize("tag", OTHERS)
def test_a_translation_of_the_engine_s_tells_the_same_values(tag: str) -> None:
    """No value is lost on the way, and none is asked for that the sentence does not have."""
    wrong = []
    for text, translated in language_data(tag).sentences.items():
        shown, known = fields(text)
        told, _ = fields(translated)
        if not shown <= told or not told <= known:
            wrong.append(f"{text} → {translated}")
    assert wrong == []


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("code", CATALOGUE)
def test_every_refusal_is_said_without_a_word_of_english(code: str, tag: str) -> None:
    """Drawn by its example: a sentence, and all that is said within it."""
    message = violation_of(code, CATALOGUE[code].example).message
    assert isinstance(message, Sentence)
    told = language_data(tag).put(message)
    assert told != message
    assert not re.search(r"[{}]", told)
    assert not ENGLISH_WORD.findall(NAMED.sub("", told)), told


def test_a_word_of_the_games_is_said_among_others_in_each_language() -> None:
    """It is looked up where several are joined, and a sentence of the engine's needs no catalogue."""
    only = say("{bid:term}: only {suits:or} can be trumps, not {trump:term}.", **_TRUMPS)
    assert only == "Solo: only spades or clubs can be trumps, not hearts."
    german: Language = language_data("de")
    assert german.put(only) == "Solo: Trumpf kann nur Pik oder Kreuz sein, nicht Herz."


_TRUMPS = {"bid": "Solo", "suits": [word("spades"), word("clubs")], "trump": "hearts"}


def test_of_nothing_nothing_is_said() -> None:
    """Where nothing can be chosen a sentence is still one."""
    assert say("One of {all:or}, {all:and}.", all=()) == "One of , ."
