"""Renders message templates with typed values: here in English, in other languages by a subclass.

An English template is the identifier of its message. It names values in braces; the text after the colon
chooses how a value is written:

- `{name}`: the value; a sentence, card, suit or call as the language writes it (see below)
- `{n:,}`: a number with thousands separators
- `{n:hand|hands}`: a number and its noun, with one form for each plural category of the language
- `{n:~is|are}`: the form without the number
- `{n:0=no hands|hand|hands}`, `{by:bidder=he|opponents=they}`: another text for one value
- `{sum:figure}`: an English figure (1,234.50) with the separators of the language
- `{names:and}`, `{cards:or}`, `{parts:list}`, `{cards:row}`: a list, joined (`row`: by spaces)
- `{trump:term}`: the translation of a word; `{rule:head}`: of a sentence, without its full stop
- `{trump:? in {trump:term}}`: the text after the question mark, or nothing if the value is `None`

Pass a `Card`, a `Suit` and a `CallCode` themselves, never `str(card)`, alone or in a list: the command line
writes them as a record does (TD, heart-solo), and a page by the reader's cards and names (10♦, Heart solo).

>>> from engine.cards.cards import Card
>>> ENGLISH.fill("{who} bid {bid}.", {"who": "Ann", "bid": CallCode("heart-solo")})
'Ann bid heart-solo.'
>>> ENGLISH.fill("{who} held {cards:and}.", {"who": "Ann", "cards": [Card.parse("TD"), Card.parse("AS")]})
'Ann held TD and AS.'
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from functools import lru_cache
from string import Formatter
from typing import Any, Final

Values = Mapping[str, Any]


class Sentence(str):
    """An English sentence with its template and values, so that it can be translated later.

    A page prints it in the reader's language. Its text is what the command line prints; the template may tell
    a reader more: "Trick 3" is "Trick 3, card 2" on a page.
    """

    __slots__ = ("template", "values")

    template: str
    values: Values

    def __new__(cls, text: str, template: str, values: Values) -> "Sentence":
        """Build a sentence from its English text, the template and the template's values."""
        sentence = super().__new__(cls, text)
        sentence.template = template
        sentence.values = values
        return sentence

    def __getnewargs__(self) -> tuple[str, str, Values]:  # type: ignore[override]
        return str(self), self.template, self.values

    def __html__(self) -> str:
        text = READER.get(ENGLISH).translate(self)
        for sign, entity in _ENTITIES:
            text = text.replace(sign, entity)
        # Phones would draw a suit's sign as a coloured picture.
        return _SUIT_SIGN.sub("\\g<0>\ufe0e", text)


class CallCode(str):
    """A bid or another call as a record writes it, `heart-solo`; a page writes its name."""

    __slots__ = ()


_ENTITIES: Final = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&#39;"), ('"', "&#34;"))


_SUIT_SIGN: Final = re.compile("[♠♥♦♣](?![\ufe0e\ufe0f])")


class Language:
    """Renders messages in English; others override the variables and the methods up to `figure`."""

    conjunction: str = "and"
    alternative: str = "or"
    comma: str = ", "
    gap: str = " "
    """The space between a number and its noun, and around a conjunction."""

    def template(self, english: str) -> str | None:
        """Return the translation of an English template; `None` if there is none, as always in English."""

    def value(self, value: Any) -> Any:
        """Return a sentence rendered in this language, and any other value unchanged.

        The languages of pages also name cards, suits and calls.
        """
        return self.translate(value) if isinstance(value, Sentence) else value

    def plural(self, number: int) -> int:
        """Return the index of a noun's form for a number: in English 0 for 1 and -1, else 1."""
        return int(abs(number) != 1)

    def figure(self, english: str) -> str:
        """Return an English figure (1,234.50) with the separators of the language; in English unchanged."""
        return english

    def number(self, value: int) -> str:
        """Return a whole number as text with the language's thousands separators, in English 1,234."""
        return self.figure(f"{value:,}")

    def term(self, word: str) -> str:
        """Return the translation of a word of the games, a suit or a bid's title; else the word itself."""
        return self.template(word) or word

    def join(self, names: Iterable[str], word: str) -> str:
        """Return names joined by commas, and the last one by `word`, such as "and"; empty for no names.

        >>> ENGLISH.join(["Ann", "Bob", "Cyd"], "and"), ENGLISH.join(["Ann"], "and")
        ('Ann, Bob and Cyd', 'Ann')
        """
        *first, last = [*names] or [""]
        return f"{self.comma.join(first)}{self.gap}{word}{self.gap}{last}" if first else last

    def translate(self, text: str) -> str:
        """Return a sentence rendered in this language, or in English if untranslated; other text unchanged.

        A capital that the English text has, but not its template, is kept.
        """
        if not isinstance(text, Sentence):
            return text
        english = text.template
        rendered = self.fill(self.template(english) or english, text.values)
        # "Split", capitalised from the word "split", is capitalised in every language.
        is_capitalised = text[:1].isupper() and not english[:1].isupper()
        if is_capitalised:
            is_capitalised = ENGLISH.fill(english, text.values)[:1].islower()
        return rendered[:1].upper() + rendered[1:] if is_capitalised else rendered

    def render(self, english: str, values: Values) -> str:
        """Return an English template, translated, with its values filled in.

        It is cached, as an evening repeats the same few explanations.
        """
        try:
            return _rendered(self, english, tuple(values.items()))
        except TypeError:  # a value without a hash, for example a list
            return self.fill(self.template(english) or english, values)

    def fill(self, template: str, values: Values, write: Callable[[Any], object] = str) -> str:
        """Return a template, already translated, with its placeholders replaced by values in this language.

        `write` turns each value into text, and escapes it for a page; texts between placeholders are
        unchanged.
        """
        return "".join(
            [
                text if name is None else f"{text}{self._written(values[name], how, values, write)}"
                for text, name, how in _parts(template)
            ]
        )

    def _written(
        self, value: Any, how: str, values: Values, write: Callable[[Any], object]
    ) -> object:
        """Return one value as its placeholder's format `how` specifies (see the module)."""
        match how:
            case "":
                return write(self.value(value))
            case "and":
                return self.join(self._items(value, write), self.conjunction)
            case "or":
                return self.join(self._items(value, write), self.alternative)
            case "list":
                return self.comma.join(self._items(value, write))
            case "row":
                return " ".join(self._items(value, write))
            case ",":
                return self.number(value)
            case "figure":
                return self.figure(value)
            case "term":
                return write(self.term(value))
            case "head":
                return write(self.term(value).rstrip(".。"))
        if how[0] == "?":
            return "" if value is None else self.fill(how[1:], values, write)
        return self._form(value, how, write)

    def _items(self, items: Iterable[object], write: Callable[[Any], object]) -> list[str]:
        """Return each item as text in this language, written by `write`."""
        return [str(write(self.value(item))) for item in items]

    def _form(self, value: Any, how: str, write: Callable[[Any], object]) -> object:
        """Return the form for exactly this value, such as `0=nobody`, else its plural form.

        The number precedes a plural form unless `how` begins with `~`. Without forms the value is written.
        """
        forms = []
        for form in how.removeprefix("~").split("|"):
            key, is_exact, text = form.partition("=")
            if not is_exact:
                forms.append(form)
            elif key == str(value):
                return text
        if not forms:
            return write(value)
        form = forms[min(self.plural(value), len(forms) - 1)]
        return form if how[0] == "~" else f"{self.number(value)}{self.gap}{form}"


class CommandLine(Language):
    """English as the command line prints it: cards, suits and calls as in a record."""

    def translate(self, text: str) -> str:
        """Return the English text of a sentence as it was built; other text unchanged."""
        return str(text)


ENGLISH: Final = CommandLine()

READER: ContextVar[Language] = ContextVar("the language of the person who reads the response")
"""Set at the start of a request; without a value, the reader gets English."""


# Cached for the benchmark rules: an evening repeats its explanations, and rendering one takes five times as
# long.
@lru_cache(maxsize=20_000)
def _rendered(language: Language, english: str, items: tuple[tuple[str, object], ...]) -> str:
    """Return an English template, translated, with its values; the cache of `Language.render`."""
    return language.fill(language.template(english) or english, dict(items))


# Cached for the benchmark rules: parsing a template takes longer than filling it.
@lru_cache(maxsize=5000)
def _parts(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return the parts of a template: a text, and the name and format of the placeholder that follows it.

    The name is `None` for a last text without a placeholder.
    """
    return tuple((text, name, how or "") for text, name, how, _ in Formatter().parse(template))
