"""House rules and explanations are translated into every language."""

from collections.abc import Iterator
from string import Formatter
from typing import cast

import pytest

from engine.games import GAMES
from engine.rules.options import Option, OptionValue, Plain
from engine.rules.verdict import Step
from engine.words.steps import STEPS
from ledger.words.languages import LANGUAGES
from tests.catalogues import OTHERS
from tests.ledger.words.test_refusals import ENGLISH_WORD


def option_values(option: Option) -> Iterator[OptionValue]:
    """Yield the values of a house rule: of an amount the least, of a group its members' defaults."""
    yield from option.choices or (option.least,)
    if option.members:
        yield {member.slug: cast("Plain", member.default) for member in option.members}


@pytest.mark.parametrize("tag", OTHERS)
def test_every_house_rule_is_told_in_whole_sentences(tag: str) -> None:
    """As a page and the report describe how a table plays."""
    language = LANGUAGES[tag]
    for sheet in GAMES.values():
        for option in sheet.options:
            for value in option_values(option):
                sentence = language.translate(option.sentence(value))
                assert sentence != option.sentence(value)
                assert sentence[-1] in ".。"
                assert not ENGLISH_WORD.findall(sentence)


WORDS = {"by": "bidder", "feat": "tout", "outcome": "tied", "pot": "frog pot", "bid": "Heart solo"}
"""An example of each word in a step; any other is a suit."""


def step_values(key: str) -> dict[str, object]:
    """Return example values for a step, of the type that each placeholder needs."""
    values: dict[str, object] = {}
    for _, name, how, _ in Formatter().parse(STEPS[key]):
        if name and how == "and":
            values[name] = ("Ann", "Bob")
        elif name in WORDS or name == "trump":
            values[name] = WORDS.get(name, "hearts")
        elif name:
            values[name] = "Cyd" if name in {"name", "principal", "second"} else 7
    return values


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("key", STEPS)
def test_every_step_of_a_payout_is_explained_without_a_word_of_english(key: str, tag: str) -> None:
    """With the suits, pots, bids and roles inside it."""
    step = Step(key, step_values(key), "sheet")
    translated = step.render(LANGUAGES[tag])
    assert translated != step.text
    assert not ENGLISH_WORD.findall(translated), translated
