"""Builds English sentences that can be translated later."""

from typing import Any

from engine.words.language import ENGLISH, Sentence


def say(template: str, /, **values: Any) -> Sentence:
    """Build a sentence from an English template and its values; its text is the filled template.

    >>> say("{who} holds {n:card|cards}.", who="Ann", n=3)
    'Ann holds 3 cards.'
    >>> say("{names:and} {n:~is|are} late.", names=["Ann", "Bob"], n=2).template
    '{names:and} {n:~is|are} late.'
    """
    return Sentence(ENGLISH.fill(template, values), template, values)


def word(term: str, /) -> Sentence:
    """Build a sentence that is one word of the games, to be translated as a value of another sentence.

    >>> say("Only {suits:or} can be trumps.", suits=[word("spades"), word("clubs")])
    'Only spades or clubs can be trumps.'
    """
    return Sentence(term, term, {})


def later(template: str) -> str:
    """Return a template unchanged: it marks the text for translation before its values are known.

    >>> say(later("{who} is late."), who="Ann")
    'Ann is late.'
    """
    return template
