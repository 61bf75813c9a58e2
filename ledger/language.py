"""The languages that the ledger answers in, and how a sentence is said in its reader's.

English is the source: sentences stand in code and templates as they are said in it, and
``locales/<language>.po`` has each of them beside its translation. A catalogue is read once, when the first
reader wants its language.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from markupsafe import Markup, escape

from engine.words.english import ENGLISH
from engine.words.language import READER, Language, Sentence
from engine.words.languages import language_data
from ledger.paths import LOCALES


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
    """
    english = words.format(**values)
    english = english[:1].upper() + english[1:] if capital else english
    return Sentence(english, words, dict(values)) if words else ""


def said(template: str, /, **values: Any) -> Markup:
    """Say a sentence on a page; it may hold markup of its own; its values are made safe."""
    language = reader()
    text = language.sentences.get(template, template)
    # What is filled in is escaped; as Markup it would escape the text that it is put to.
    return Markup(language.fill(text, values, lambda value: str(escape(value))))  # noqa: S704


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
