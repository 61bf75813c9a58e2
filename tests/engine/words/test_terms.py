"""What the games call things is said in every language."""

from collections.abc import Iterator
from string import Formatter
from typing import cast

import pytest

from engine.games import GAMES
from engine.results import RESULT
from engine.rules.options import Option, OptionValue, Plain
from engine.rules.verdict import Step
from engine.words.english import ENGLISH
from engine.words.languages import NAMES, language_data
from tests.engine.words.test_refusals import ENGLISH_WORD, OTHERS


def of_option(option: Option) -> Iterator[str]:
    """Return what a house rule says of itself, of its choices and of its members."""
    yield option.description
    yield from (option.word(choice) for choice in option.choices)
    for member in option.members:
        yield from of_option(member)


def called() -> Iterator[str]:
    """Return the words of every game: titles, tariffs, bids, house rules, questions."""
    for sheet in GAMES.values():
        yield from (sheet.title, sheet.summary, sheet.bidder)
        variants: list[str | None] = [each.slug for each in sheet.variants] or [None]
        for variant in sheet.variants:
            yield from (variant.title, variant.summary)
        for slug in variants:
            for option in sheet.options_of(slug):
                yield from of_option(option)
            for seats in sheet.seats:
                for bid in sheet.rules(slug, {}, seats).bids:
                    yield from (bid.title, bid.counts)
    for key in RESULT.values():
        yield from (key.question, key.hint, key.otherwise)
        yield from (choice.words for choice in key.choices)


@pytest.mark.parametrize("tag", [tag for tag in NAMES if tag != "en"])
def test_every_word_of_every_game_has_its_translation(tag: str) -> None:
    """A number that stands alone, and what is only a value, needs none."""
    terms = language_data(tag).terms
    words = {word for word in called() if word and not word.isdecimal() and word != "{counts}"}
    assert sorted(words - set(terms)) == []


def values(option: Option) -> Iterator[OptionValue]:
    """Return what a house rule can be set to; of an amount one, of a group its members' own."""
    yield from option.choices or (option.least,)
    if option.members:
        yield {member.slug: cast("Plain", member.default) for member in option.members}


@pytest.mark.parametrize("tag", OTHERS)
def test_every_house_rule_is_told_in_whole_sentences(tag: str) -> None:
    """As a page and the report tell how a table plays."""
    language = language_data(tag)
    for sheet in GAMES.values():
        for option in sheet.options:
            for value in values(option):
                told = language.put(option.sentence(value))
                assert told != option.sentence(value)
                assert told[-1] in ".。"
                assert not ENGLISH_WORD.findall(told)


TERMED = {"by": "bidder", "feat": "tout", "outcome": "tied", "pot": "frog pot", "bid": "Heart solo"}
"""A word for each value that a step looks up; any other is a suit."""


def values_of(key: str) -> dict[str, object]:
    """Make up values for a step, each as its template asks for."""
    found: dict[str, object] = {}
    for _, name, how, _ in Formatter().parse(ENGLISH.templates[key]):
        if name and how == "and":
            found[name] = ("Ann", "Bob")
        elif name and how and how.startswith(("term", "?")):
            found[name] = TERMED.get(name, "hearts")
        elif name:
            found[name] = "Cyd" if name in {"name", "principal", "second"} else 7
    return found


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("key", ENGLISH.templates)
def test_every_step_of_a_payout_is_explained_without_a_word_of_english(key: str, tag: str) -> None:
    """With all that stands in it: suits, pots, bids, roles."""
    step = Step(key, values_of(key), "sheet")
    told = step.spoken(language_data(tag))
    assert told != step.text
    assert not ENGLISH_WORD.findall(told), told
