"""Puts steps and sentences into words: a language is data, templates and word lists over the same values.

A template names values in braces. What comes after the colon says how a value is spoken:
`{points:card point}` counts a noun of the word list, `{n:hand|hands}` counts by the forms that stand there
(one, any other number), `{n:~is|are}` says the form alone, `{n:,}` puts thousands apart, `{sum:figure}`
rewrites a figure that is text already, `{names:and}` and `{cards:or}` join, `{all:list}` only lists,
`{trump:term}` looks a word up, `{who:term by}` a form of it that a language needs there, `{rule:head}` looks
up a sentence and leaves its full stop out, and `{trump:?in-trump}` says another template, or nothing where
the value is nothing. A value that is a sentence itself is said in the same language.
"""

from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from string import Formatter
from typing import Any, Final

from engine.cards.cache import Cache

Values = Mapping[str, Any]

Written = Callable[[Any], object]
"""How a value gets into a sentence: as it is, or made safe for a page."""


class Sentence(str):
    """A sentence for people: English text, and what it is made of, so that any language can say it.

    Where a page prints it, it is said in the language of whoever reads the page.
    """

    __slots__ = ("template", "values")

    template: str
    values: Values

    def __new__(cls, text: str, template: str, values: Values) -> "Sentence":
        """Make one of its English text, the template of that, and the template's values."""
        made = super().__new__(cls, text)
        made.template = template
        made.values = values
        return made

    def __getnewargs__(self) -> tuple[str, str, Values]:  # type: ignore[override]
        return str(self), self.template, self.values

    def __html__(self) -> str:
        language = READER.get()
        text = str(self) if language is None else language.put(self)
        for sign, safe in _UNSAFE:
            text = text.replace(sign, safe)
        return text


_UNSAFE: Final = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&#39;"), ('"', "&#34;"))


@dataclass(frozen=True, eq=False)
class Language:
    """What a translation provides. `form` gives the place of a noun's form for a number.

    `sentences` are by their English. A term that the language does not list is said as it is: names of bids,
    for instance; and so is a sentence that it lacks.
    """

    tag: str
    templates: Mapping[str, str]
    nouns: Mapping[str, tuple[str, ...]]
    terms: Mapping[str, str]
    conjunction: str
    form: Callable[[int], int]
    alternative: str = "or"
    comma: str = ", "
    colon: str = ": "
    semicolon: str = "; "
    stop: str = "."
    weekday: str = "full"
    """How a day is written with the day of the week: a length or a pattern of CLDR's."""
    gap: str = " "
    """What stands between a number and what it counts, and on both sides of the word that joins."""
    thousands: str = ","
    point: str = "."
    ranks: Mapping[str, str] = field(default_factory=dict)
    """The letters of its own that a language's packs have on court cards."""
    sentences: Mapping[str, str] = field(default_factory=dict)
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
        return self.fill(self.templates[key], values)

    def put(self, text: str) -> str:
        """Say a sentence in this language; any other text stays as it is."""
        if not isinstance(text, Sentence):
            return text
        template = text.template
        found = self.sentences.get(template)
        if found is None and text == template:
            found = self.terms.get(template)
        if found is None:
            return str(text)
        said = self.fill(found, text.values)
        # A word of the engine's that begins a line, such as "Split" of "split", begins it in any language.
        capital = template[:1].islower() and text[:1].isupper()
        return said[:1].upper() + said[1:] if capital else said

    def fill(self, template: str, values: Values, write: Written = str) -> str:
        """Put values into a template, each as it asks for."""
        return "".join(
            [
                text if name is None else f"{text}{self._spoken(values[name], how, values, write)}"
                for text, name, how in _parts(template)
            ]
        )

    def _spoken(self, value: Any, how: str, values: Values, write: Written) -> object:
        """Speak one value as its template asks."""
        if not how:
            return write(self.put(value) if isinstance(value, Sentence) else value)
        if how in ("and", "or"):
            word = self.conjunction if how == "and" else self.alternative
            return self.join([str(write(each)) for each in map(self.put, value)], word)
        if how == "list":
            return self.comma.join(str(write(self.put(each))) for each in value)
        if how == ",":
            return self.number(value)
        if how == "figure":
            return self.figure(value)
        if how == "term":
            return write(self.terms.get(value, value))
        if how == "head":
            return write(self.terms.get(value, value).rstrip(".。"))
        if how.startswith("term "):
            return write(self.terms.get(f"{value}{how[4:]}", value))
        if how.startswith("?"):
            return "" if value is None else write(self.say(how[1:], values))
        if "|" in how:
            one, _, other = how.removeprefix("~").partition("|")
            form = one if abs(value) == 1 else other
            return form if how[0] == "~" else f"{self.number(value)}{self.gap}{form}"
        return self.count(value, how)

    def number(self, value: int) -> str:
        """Write a number with its thousands apart."""
        return self.figure(f"{value:,}")

    def figure(self, english: str) -> str:
        """Write a figure that is written as in English (1,234.50) with the marks of this language."""
        if self.thousands == ",":
            return english
        return english.translate({ord(","): self.thousands, ord("."): self.point})

    def join(self, names: Iterable[str], word: str) -> str:
        """Join names, or what can be chosen from, as they are said aloud."""
        *most, last = [*names] or [""]
        return f"{self.comma.join(most)}{self.gap}{word}{self.gap}{last}" if most else last

    def count(self, number: int, noun: str) -> str:
        """Put a number before its noun."""
        return self.nouns[noun][self.form(number)].format(number)

    def missing(self, other: "Language") -> frozenset[str]:
        """Name the templates, nouns and terms of another language that this one lacks."""
        parts = ("templates", "nouns", "terms")
        return frozenset().union(
            *(set(getattr(other, at)) - set(getattr(self, at)) for at in parts)
        )


READER: ContextVar[Language | None] = ContextVar("the language of whoever reads", default=None)
"""Set by the door that lets a request in; None is English."""


@lru_cache(maxsize=5000)
def _parts(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Take a template apart: what stands before each value, its name, and how it is spoken."""
    return tuple((text, name, how or "") for text, name, how, _ in Formatter().parse(template))
