"""Puts steps into words: a language is data, templates and word lists over the same values.

A template names a step's values in braces. What comes after the colon says how a value is spoken:
`{points:card point}` counts a noun, `{names:and}` joins names, `{trump:term}` looks a word up, and
`{trump:?in-trump}` says another template, or nothing where the value is nothing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from engine.cache import Cache
from engine.errors import join

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Language:
    """What a translation provides. `form` gives the place of a noun's form for a number.

    A term that the language does not list is said as it is: names of bids, for instance.
    """

    tag: str
    templates: Mapping[str, str]
    nouns: Mapping[str, tuple[str, ...]]
    terms: Mapping[str, str]
    conjunction: str
    form: Callable[[int], int]
    _said: Cache[tuple[object, ...], str] = field(
        default_factory=lambda: Cache(20_000), init=False, repr=False, compare=False
    )

    def say(self, key: str, values: Values) -> str:
        """Put one step into words; `LookupError` for a key that has no template.

        An evening has few sentences, said again and again: what was said is kept.
        """
        said = self._said
        asked = (key, *values.items())
        try:
            text = said.get(asked)
        except TypeError:  # a value that cannot be looked up, such as a list
            return self._put(key, values)
        return said.keep(asked, self._put(key, values)) if text is None else text

    def _put(self, key: str, values: Values) -> str:
        return _Spoken(self, values).vformat(self.templates[key], (), values)

    def count(self, number: int, noun: str) -> str:
        """Put a number before its noun."""
        return self.nouns[noun][self.form(number)].format(number)

    def missing(self, other: "Language") -> frozenset[str]:
        """Name the templates, nouns and terms of another language that this one lacks."""
        parts = ("templates", "nouns", "terms")
        return frozenset().union(
            *(set(getattr(other, at)) - set(getattr(self, at)) for at in parts)
        )


class _Spoken(Formatter):
    """Fills in a template as one language speaks."""

    def __init__(self, language: Language, values: Values) -> None:
        self.language = language
        self.values = values

    def format_field(self, value: Any, format_spec: str) -> str:
        """Speak one value as its template asks."""
        language = self.language
        if not format_spec:
            return str(value)
        if format_spec == "and":
            return join(value, language.conjunction)
        if format_spec == "term":
            return language.terms.get(value, value)
        if format_spec.startswith("?"):
            return "" if value is None else language.say(format_spec[1:], self.values)
        return language.count(value, format_spec)
