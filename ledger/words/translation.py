"""The languages that the ledger answers in, and how a sentence is said in its reader's.

English is the source: sentences stand in code and templates as they are said in it, and
``locales/<language>.po`` has each of them beside its translation. A catalogue is read once, when the first
reader wants its language.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache, wraps
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from markupsafe import Markup, escape

from engine.words.english import ENGLISH
from engine.words.language import READER, Language, Sentence
from engine.words.languages import language_data
from ledger.runtime.paths import LOCALES

P = ParamSpec("P")
T = TypeVar("T")

_KEPT = 2_048
"""How many results of a function are kept, each of some hundred bytes: the figures of a few evenings."""


@cache
def language(tag: str) -> Language:
    """Return a language with the catalogue of the ledger's own sentences."""
    data = language_data(tag)
    if tag == ENGLISH.tag:
        return data
    return replace(data, sentences={**data.terms, **data.sentences, **_catalogue(tag)})


def reader() -> Language:
    """Return the language of whoever is answered now; English where nobody asked."""
    return READER.get() or ENGLISH


def once_a_language(make: Callable[P, T]) -> Callable[P, T]:
    """Keep what a function makes of plain values for readers of a language; it may depend on nothing else.

    What was not asked for the longest goes first.
    """
    kept: Any = lru_cache(_KEPT)(lambda _, *given, **named: make(*given, **named))

    @wraps(make)
    def in_their_language(*given: P.args, **named: P.kwargs) -> T:
        made: T = kept(reader().tag, *given, **named)
        return made

    return in_their_language


def told(text: str) -> str:
    """Say a sentence in the reader's language, as text: where a page does not print it itself."""
    return reader().put(text)


def term(word: str) -> str:
    """Say a word of the game's, such as the name of a bid, in the reader's language."""
    return reader().terms.get(word, word)


def of_the_engine(
    words: str, values: Mapping[str, Any] = MappingProxyType({}), *, capital: bool = False
) -> str:
    """Make a sentence of words of the engine's, which its languages have by their English.

    >>> of_the_engine("by the {bidder}", {"bidder": "caller"}, capital=True)
    'By the caller'

    One that is a value and nothing more is that value, which has words of its own in each language:

    >>> points = of_the_engine("card points of the caller")
    >>> language("de").put(of_the_engine("{counts}", {"counts": points}))
    'Augen des Spielmachers'
    """
    if words[:1] == "{" and isinstance(alone := values.get(words[1:-1]), Sentence):
        return alone
    english = words.format(**values)
    english = english[:1].upper() + english[1:] if capital else english
    return Sentence(english, words, dict(values)) if words else ""


def said(template: str, /, **values: Any) -> Markup:
    """Say a sentence on a page; it may hold markup of its own; its values are made safe."""
    if not values:
        return _said_alone(template)
    language = reader()
    text = language.sentences.get(template, template)
    # What is filled in is escaped; as Markup it would escape the text that it is put to.
    return Markup(language.fill(text, values, lambda value: str(escape(value))))  # noqa: S704


@once_a_language
def _said_alone(template: str) -> Markup:
    """Say a sentence that is the same each time: most are."""
    language = reader()
    return Markup(language.fill(language.sentences.get(template, template), {}))  # noqa: S704


@cache
def _catalogue(tag: str) -> Mapping[str, str]:
    """Read what the ledger's sentences are in a language, by their English."""
    from babel.messages.pofile import read_po  # most processes answer in English alone

    with (LOCALES / f"{tag}.po").open("rb") as file:
        return {
            str(message.id): str(message.string)
            for message in read_po(file)
            if message.id and message.string and not message.fuzzy
        }
