"""The languages: how each writes numbers, lists and plurals, and its catalogue of translations.

A new language is an entry in `LANGUAGES` and a catalogue, `locales/<tag>.po`, of English templates with
their translations.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from engine.cards.cards import Card, Suit
from engine.words.language import CallCode, Language
from ledger.runtime.paths import LOCALES
from ledger.words.calls import call_name

_PLURALS: Final[tuple[str, ...]] = ("zero", "one", "two", "few", "many", "other")
"""The plural categories of CLDR, in the order of the forms in a template."""


@dataclass(frozen=True, eq=False)
class Translation(Language):
    """A language of the ledger. Its punctuation is English unless stated."""

    tag: str
    name: str
    """The language's name in the language itself."""
    conjunction: str = "and"
    alternative: str = "or"
    comma: str = ", "
    colon: str = ": "
    semicolon: str = "; "
    stop: str = "."
    gap: str = " "
    thousands: str = ","
    point: str = "."
    weekday: str = "full"
    """The length or pattern by which CLDR formats a date with its weekday."""
    ranks: Mapping[str, str] = field(default_factory=dict)
    """The letters on court cards that differ from English ones."""
    suit_first: bool = False
    """Whether a card's suit is written before its rank, as it is spoken (♦10), and not after it (10♦)."""

    def template(self, english: str) -> str | None:
        """Return the translation of an English template, with the same placeholders.

        `None` if there is none.
        """
        return self.messages.get(english)

    def value(self, value: Any) -> Any:
        """Translate a sentence, card, suit or call, as a value of a template.

        Return any other value unchanged.
        """
        if isinstance(value, Card):
            return self.card(value)
        if isinstance(value, Suit):
            return self.term(value.word)
        return self.call(value) if isinstance(value, CallCode) else super().value(value)

    def card(self, card: Card) -> str:
        """Write a card with its suit's sign and the letters of the language's packs.

        >>> LANGUAGES["en"].card(Card.parse("TD")), LANGUAGES["de"].card(Card.parse("QC"))
        ('10♦', '♣D')
        """
        rank, symbol = self.rank(card.rank), card.suit.symbol
        return f"{symbol}{rank}" if self.suit_first else f"{rank}{symbol}"

    def rank(self, letter: str) -> str:
        """Write a rank as on the language's packs.

        >>> LANGUAGES["en"].rank("T"), LANGUAGES["de"].rank("Q")
        ('10', 'D')
        """
        return "10" if letter == "T" else self.ranks.get(letter, letter)

    def call(self, code: str) -> str:
        """Write the name of a bid or another call; other text is returned unchanged.

        >>> LANGUAGES["en"].call("frage-in-clubs"), LANGUAGES["de"].call("double")
        ('Frage in clubs', 'Kontra')
        """
        return self.translate(call_name(code))

    def plural(self, number: int) -> int:
        """Return the index of a noun's plural form for a number; the catalogue's forms are in CLDR's order.

        >>> LANGUAGES["de"].plural(1), LANGUAGES["de"].plural(0), LANGUAGES["ja"].plural(1)
        (0, 1, 0)
        """
        return self._loaded[1](number)

    def figure(self, english: str) -> str:
        """Write an English figure (1,234.50) with the separators of the language.

        >>> LANGUAGES["de"].figure("1,234.50")
        '1.234,50'
        """
        if self.thousands == ",":
            return english
        return english.translate({ord(","): self.thousands, ord("."): self.point})

    @property
    def messages(self) -> Mapping[str, str]:
        """The language's translations by their English templates; empty for English."""
        return self._loaded[0]

    # Cached for the benchmark loading: reading a catalogue takes as long as fifty pages.
    @cached_property
    def _loaded(self) -> tuple[Mapping[str, str], Callable[[int], int]]:
        """The catalogue, empty for English, and CLDR's plural rule, which gives a number's form by index."""
        if self.tag == ENGLISH.tag:
            return {}, super().plural
        from babel import Locale  # most processes render English only
        from babel.messages.pofile import read_po

        with (LOCALES / f"{self.tag}.po").open("rb") as file:
            messages = {
                str(message.id): str(message.string)
                for message in read_po(file)
                if message.id and message.string and not message.fuzzy
            }
        rule = Locale.parse(self.tag).plural_form
        categories = [name for name in _PLURALS if name in {*rule.tags, "other"}]
        return messages, lambda number: categories.index(str(rule(number)))


ENGLISH: Final = Translation("en", "English")

LANGUAGES: Final[Mapping[str, Translation]] = {
    language.tag: language
    for language in (
        ENGLISH,
        Translation(
            "de",
            "Deutsch",
            conjunction="und",
            alternative="oder",
            thousands=".",
            point=",",
            ranks={"Q": "D", "J": "B"},
            suit_first=True,
        ),
        Translation(
            "ja",
            "日本語",
            conjunction="、",
            alternative="または",
            comma="、",
            colon="：",
            semicolon="、",
            stop="。",
            gap="",
            suit_first=True,
            weekday="y年M月d日（E）",
        ),
    )
}
