"""Which language a reader is answered in, and how pages say a sentence in it.

A device's own choice comes first, then what the browser or program accepts, then English. English is the
source: sentences stand in code and templates as they are said in it, and ``locales/<language>.po`` has each
of them beside its translation. A catalogue is read once, when the first reader wants its language.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Final

from flask import Flask, Response, request
from markupsafe import Markup, escape
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from engine.words.english import ENGLISH
from engine.words.language import READER, Language, Sentence
from engine.words.languages import NAMES, language_data
from ledger.flask_app import vary
from ledger.paths import LOCALES

COOKIE: Final = "solo-ledger-language"
"""The cookie that keeps a device's own choice."""


def init_app(app: Flask) -> None:
    """Let every request be answered in its reader's language, and templates say sentences by ``_``."""
    app.before_request(_heed_reader)
    app.after_request(_say_which)
    app.teardown_request(_forget_reader)
    app.jinja_env.globals.update(_=said, reader=reader, languages=NAMES)
    app.jinja_env.filters["term"] = term


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


@lru_cache(maxsize=256)
def chosen(own: str | None, accepted: str | None) -> str:
    """Choose a language, by a device's own choice and what its browser accepts.

    >>> chosen("ja", "de"), chosen(None, "fr, de-AT;q=0.8, en;q=0.5"), chosen("tlh", None)
    ('ja', 'de', 'en')
    """
    if own is not None and own in NAMES:
        return own
    for tag, quality in parse_accept_header(accepted, LanguageAccept):
        primary = tag.partition("-")[0].lower()
        if quality and primary in NAMES:
            return primary
    return ENGLISH.tag


def _heed_reader() -> None:
    """Find out who reads the answer; programs choose by their header alone."""
    if request.endpoint == "static":
        return
    own = None if request.path.startswith("/api/") else request.cookies.get(COOKIE)
    READER.set(language(chosen(own, request.headers.get("Accept-Language"))))


def _forget_reader(_: BaseException | None) -> None:
    """Let what this thread does next be for nobody in particular."""
    READER.set(None)


def _say_which(response: Response) -> Response:
    """Say which language an answer is in, and that another reader may get another one."""
    if request.endpoint != "static":
        response.headers.setdefault("Content-Language", reader().tag)
        vary(response, "Accept-Language")
    return response


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
