"""Readers for words in a hand record that can be spelled in several ways: bids, suits and cards."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar

from engine.cards.cards import (
    SPELLINGS,
    AmbiguousCard,
    Card,
    Suit,
    read_cards,
    read_dealt,
    split_cards,
)
from engine.errors import Problems, Violation, show, suggest
from engine.record.reading import At, Reader, array, ascii_texts, spell, text, wrong
from engine.words.sentences import later, say

T = TypeVar("T")

ALIASES = {"spread": "spread-misere", "guarantee-solo": "guarantee"}
"""Other names of six-bid's bids, with their slugs."""


_IS_SLUG = re.compile("[a-z0-9-]+").fullmatch
LONGEST_SLUG = 60
"""The most characters of a text that is read as a slug."""


def slug_of(words: str) -> str:
    """Return words as a slug: in lower case, without accents and with hyphens.

    A text that is too long, or has other characters, is returned unchanged.

    >>> slug_of("Heart solo"), slug_of("misère"), slug_of("six_bid"), slug_of("♥ solo")
    ('heart-solo', 'misere', 'six-bid', '♥ solo')
    """
    if _is_usual(words) or len(words) > LONGEST_SLUG:
        return words
    letters = unicodedata.normalize("NFKD", words.lower())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    joined = "-".join(plain.replace("_", " ").replace("-", " ").split())
    return joined if _IS_SLUG(joined) else words


def _is_usual(words: str) -> bool:
    """Return whether a text needs no conversion to a slug.

    It is then in ASCII and lower case, printable, and without spaces and underscores; other signs stay.
    """
    return (
        words.islower()
        and words.isascii()
        and words.isprintable()
        and " " not in words
        and "_" not in words
    )


def slug(value: object, at: At, problems: Problems) -> str | None:
    """Parse the name of a game or variant, in words or as a slug, and return the slug; it may not exist.

    For a value that is not text, a violation is added and `None` returned.
    """
    if type(value) is str and _is_usual(value):
        return value
    words = text(value, at, problems)
    return words and slug_of(words)


def bid(value: object, at: At, problems: Problems) -> str | None:
    """Parse a bid or another call, as a slug, an alias or in words, and return the slug; it may not exist.

    For a value that is not text, a violation is added and `None` returned.
    """
    words = slug(value, at, problems)
    return words and ALIASES.get(words, words)


def _bids(words: Sequence[Any]) -> list[str]:
    """Return bids as slugs, without aliases. Raises `TypeError` or `ValueError` as `ascii_texts`."""
    if not _is_usual("".join(words)):
        words = [slug_of(word) for word in ascii_texts(words)]
    return [ALIASES.get(word, word) for word in words]


def _spelled(
    parse: Callable[[str], T],
    code: str,
    otherwise: str,
    legal: tuple[str, ...] = (),
    words: tuple[str, ...] = (),
    **values: object,
) -> Callable[[object, At, Problems], T | None]:
    """Return a reader for text that `parse` accepts.

    Any other value becomes `None`, with a violation of this code and message, or that of an ambiguous card;
    `values` are the message's, and one of `words` may be suggested.
    """

    def read(value: object, at: At, problems: Problems) -> T | None:
        if isinstance(value, str):
            try:
                return parse(value)
            except AmbiguousCard as error:
                _ambiguous(problems, at, value, error.cards)
                return None
            except ValueError:
                pass
        field = spell(at)
        message = suggest(say(otherwise, field=field, value=show(value), **values), value, words)
        problems.append(Violation(code, message, {"field": field}, legal))
        return None

    return read


def _ambiguous(problems: Problems, at: At, value: str, cards: tuple[Card, ...]) -> None:
    """Add the violation of a text that can be several cards, with these as valid values."""
    message = say(
        "{field}: {value} can be {cards:or}; write the rank and then the suit, S, H, D or C.",
        field=spell(at),
        value=show(value),
        cards=cards,
    )
    legal = tuple(map(str, cards))
    problems.append(Violation("ambiguous-card", message, {"field": spell(at)}, legal))


suit = _spelled(
    Suit.parse,
    "unknown-suit",
    later("{field}: {value} is not a suit; the suits are S ♠, H ♥, D ♦ and C ♣."),
    tuple(Suit),
    tuple(suit.word for suit in Suit),
)
"""Parses a suit: letter, sign or word."""

card = _spelled(
    Card.parse,
    "unknown-card",
    later(
        "{field}: {value} is not a card; write rank and suit, such as {example} for the ten of diamonds,"
        " from A T K Q J 9 8 7 6."
    ),
    example=Card.parse("TD"),
)
"""Parses one card."""


def _dealt_card(value: object, at: At, problems: Problems) -> Card | None:
    """Parse a card; `None` for `?`, or with a violation for a wrong one."""
    return None if value == "?" else card(value, at, problems)


LONGEST_CARDS = 1_000
"""The most characters of a text of cards in which mistakes are looked for."""

MOST_CARDS = 100
"""The most items of a list of cards."""


def _cards(
    read_all: Callable[[str], tuple[Card | None, ...]], read_one: Reader
) -> Callable[[object, At, Problems], tuple[Any, ...] | None]:
    """Return a reader for cards, as one text (`read_all`) or as a list of texts (`read_one`).

    It returns a tuple. A wrong card becomes `None` with a violation. For any other value the reader adds one
    and returns `None`.
    """

    def read(value: object, at: At, problems: Problems) -> tuple[Any, ...] | None:
        if isinstance(value, str):
            try:
                return read_all(value)
            except ValueError:
                if len(value) <= LONGEST_CARDS:
                    value = _words(value, read_one)
        if isinstance(value, list | tuple) and len(value) <= MOST_CARDS:
            return tuple([read_one(text, at, problems) for text in value])
        wrong(problems, at, value, say("cards, such as AS TD 7H"))
        return None

    return read


def _words(text: str, read_one: Reader) -> list[str]:
    """Return the words of a text; adjacent words that are not cards are one item, as they are one mistake.

    >>> _words("AS the ten of spades 7H", card)
    ['AS', 'the ten of spades', '7H']
    """

    def unreadable(word: str) -> bool:
        problems: Problems = []
        read_one(word, "", problems)
        return bool(problems)

    runs = groupby(split_cards(text), unreadable)
    return [part for wrong_run, run in runs for part in ([" ".join(run)] if wrong_run else run)]


cards = _cards(read_cards, card)
"""Parses known cards."""

dealt_cards = _cards(read_dealt, _dealt_card)
"""Parses cards, of which some may be unknown: `?` becomes `None`."""


_COLUMN_READERS: Mapping[Reader, Callable[[Sequence[Any]], Sequence[object]]] = {
    text: ascii_texts,
    bid: _bids,
    card: lambda texts: [*map(SPELLINGS.__getitem__, texts)],
}
"""The functions that parse a whole column as its reader parses each item; they raise for an unusual item."""


def rows_of(*columns: Reader, optional: int = 0) -> Reader:
    """Return a reader for a list of rows, with a reader for each column; it returns a tuple of tuples.

    The last `optional` items of a row may be missing. A wrong row is left out and a wrong item becomes
    `None`, each with a violation. For a value that is not a list the reader adds a violation and returns
    `None`.
    """
    least = len(columns) - optional

    def read(value: object, at: At, problems: Problems) -> tuple[tuple[object, ...], ...] | None:
        rows = array(value, at, problems)
        if rows is None:
            return None
        try:
            if {*map(type, rows)} == {list}:
                by_reader = zip(columns[:least], zip(*rows, strict=True), strict=True)
                return tuple(
                    zip(
                        *[_COLUMN_READERS[reader](column) for reader, column in by_reader],
                        strict=True,
                    )
                )
        except (KeyError, TypeError, ValueError):
            pass  # an unusual row is parsed below, item by item
        read_rows = []
        for place, row in enumerate(rows, 1):
            path = (at, place)
            if isinstance(row, list | tuple) and least <= len(row) <= len(columns):
                items = zip(columns, row, strict=False)
                read_rows.append(tuple([reader(item, path, problems) for reader, item in items]))
            else:
                wrong(problems, path, row, say("a list of {n} items", n=least))
        return tuple(read_rows)

    return read
