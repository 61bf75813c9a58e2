"""Translates sentences, words and templates into the language of the response's reader."""

from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar, cast

from markupsafe import Markup, escape

from engine.words.language import READER, Sentence
from ledger.words.languages import ENGLISH, Translation

P = ParamSpec("P")
T = TypeVar("T")

_CACHE_SIZE = 2_048
"""The results cached per function, of some hundred bytes each: the figures of a few evenings."""


def reader() -> Translation:
    """Return the language of the current request; English outside of one."""
    return cast("Translation", READER.get(ENGLISH))


def cached_per_language(function: Callable[P, T]) -> Callable[P, T]:
    """Cache a function's results per language and (hashable) arguments; they must depend on nothing else."""
    # Cached for the benchmark loading: a page formats the same figures and sentences again.
    cached: Any = lru_cache(_CACHE_SIZE)(lambda _, *args, **kwargs: function(*args, **kwargs))

    @wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        result: T = cached(reader().tag, *args, **kwargs)
        return result

    return wrapper


def translate(text: str) -> str:
    """Translate a sentence into the reader's language; any other or untranslated text stays unchanged."""
    return reader().translate(text)


def term(word: str) -> str:
    """Return a word of the games, for example the title of a bid, translated, or unchanged if unknown."""
    return reader().term(word)


def engine_sentence(
    template: str, values: Mapping[str, Any] = MappingProxyType({}), *, capital: bool = False
) -> str:
    """Fill a template in, and return it as a sentence that can be translated; empty for an empty template.

    ``capital`` capitalises the first letter.

    >>> engine_sentence("by the {bidder}", {"bidder": "caller"}, capital=True)
    'By the caller'

    A template that is only a value returns the value, which has a translation of its own:

    >>> from ledger.words.languages import LANGUAGES
    >>> points = engine_sentence("card points of the caller")
    >>> LANGUAGES["de"].translate(engine_sentence("{counts}", {"counts": points}))
    'Augen des Spielmachers'
    """
    if template[:1] == "{" and isinstance(value := values.get(template[1:-1]), Sentence):
        return value
    english = template.format(**values)
    english = english[:1].upper() + english[1:] if capital else english
    return Sentence(english, template, dict(values)) if template else ""


def translate_markup(template: str, /, **values: Any) -> Markup:
    """Render a template in the reader's language, or else in English, as markup with escaped values.

    The template itself may contain markup.
    """
    if not values:
        return _translate_constant(template)
    language = reader()
    text = language.template(template) or template
    # The values are escaped as strings; Markup would escape the text that it is joined to.
    return Markup(language.fill(text, values, lambda value: str(escape(value))))  # noqa: S704


@cached_per_language
def _translate_constant(template: str) -> Markup:
    """Render a template without values, cached for each language."""
    language = reader()
    return Markup(language.fill(language.template(template) or template, {}))  # noqa: S704
