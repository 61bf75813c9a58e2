"""How code says something to people: in English, each sentence whole, its values by name."""

from typing import Any

from engine.words.english import ENGLISH
from engine.words.language import Sentence


def say(template: str, /, **values: Any) -> Sentence:
    """Say a sentence in English, so that it can be said in another language later.

    >>> say("{who} holds {n:card|cards}.", who="Ann", n=3)
    'Ann holds 3 cards.'
    >>> say("{names:and} {n:~is|are} late.", names=["Ann", "Bob"], n=2).template
    '{names:and} {n:~is|are} late.'
    """
    return Sentence(ENGLISH.fill(template, values), template, values)


def word(term: str, /) -> Sentence:
    """Take a word of the games into a sentence, as one of several that are joined there.

    >>> say("Only {suits:or} can be trumps.", suits=[word("spades"), word("clubs")])
    'Only spades or clubs can be trumps.'
    """
    return Sentence(term, term, {})


def later(template: str) -> str:
    """Mark the template of a sentence that is said elsewhere, once its values are known.

    >>> say(later("{who} is late."), who="Ann")
    'Ann is late.'
    """
    return template
