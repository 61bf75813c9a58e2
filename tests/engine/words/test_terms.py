"""What the games call things is said in every language."""

from collections.abc import Iterator

import pytest

from engine.games import GAMES
from engine.results import RESULT
from engine.rules.options import Option
from engine.words.languages import NAMES, language_data


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
