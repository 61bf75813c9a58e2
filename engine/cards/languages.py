"""The words and letters for ranks and suits in each language, in lower case.

They are read only if the format's own spelling (`engine.cards.cards.SPELLINGS`) has no such card.
"""

from collections.abc import Mapping
from typing import NamedTuple

JOINTS = (" of ", "-", "の")
"""Texts that may stand between rank and suit."""

LONGEST = 24
"""The most characters of a card in words."""


class CardWords(NamedTuple):
    """The words for ranks and suits that people use together, in either order.

    The keys are a record's letters, each with its spellings; digits and suit signs are understood everywhere.
    """

    ranks: Mapping[str, tuple[str, ...]]
    suits: Mapping[str, tuple[str, ...]]


ENGLISH = CardWords(
    {
        "A": ("a", "ace"),
        "T": ("t", "ten"),
        "K": ("k", "king"),
        "Q": ("q", "queen", "o", "ober"),
        "J": ("j", "jack", "u", "unter"),
        "9": ("nine",),
        "8": ("eight",),
        "7": ("seven",),
        "6": ("six",),
    },
    {
        "S": ("s", "spade", "spades", "l", "leaf", "leaves"),
        "H": ("h", "heart", "hearts"),
        "D": ("d", "diamond", "diamonds", "b", "bell", "bells"),
        "C": ("c", "club", "clubs", "a", "acorn", "acorns"),
    },
)
"""English words, and German cards as the format has them: acorns, leaves and bells, Ober and Unter."""

_GERMAN_RANKS = {
    "A": ("a", "ass", "as"),
    "T": ("zehn", "zehner"),
    "K": ("k", "könig", "koenig"),
    "9": ("neun", "neuner"),
    "8": ("acht", "achter"),
    "7": ("sieben", "siebener"),
    "6": ("sechs", "sechser"),
}
GERMAN = CardWords(
    {**_GERMAN_RANKS, "Q": ("d", "dame"), "J": ("b", "bube")},
    {"S": ("p", "pik"), "H": ("h", "herz"), "D": ("k", "karo"), "C": ("kr", "kreuz")},
)
"""German words for French cards."""

GERMAN_PACK = CardWords(
    {**_GERMAN_RANKS, "Q": ("o", "ober"), "J": ("u", "unter")},
    {
        "S": ("grün", "gruen", "laub", "blatt", "gras"),
        "H": ("herz", "rot"),
        "D": ("schellen", "schelle"),
        "C": ("eichel", "eicheln"),
    },
)
"""German words for German cards; their letters would be read as other suits."""

JAPANESE = CardWords(
    {
        "A": ("a", "エース"),
        "T": ("t",),
        "K": ("k", "キング"),
        "Q": ("q", "クイーン"),
        "J": ("j", "ジャック"),
        "9": (),
        "8": (),
        "7": (),
        "6": (),
    },
    {
        "S": ("スペード",),
        "H": ("ハート",),
        "D": ("ダイヤ", "ダイヤモンド"),
        "C": ("クラブ",),
    },
)

_DIGITS = {"T": ("10",), "9": ("9",), "8": ("8",), "7": ("7",), "6": ("6",)}
_SIGNS = {"S": ("♠", "♤"), "H": ("♥", "♡"), "D": ("♦", "♢"), "C": ("♣", "♧")}


def _by_spelling(
    words: Mapping[str, tuple[str, ...]], signs: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    """Return a table from each word and sign to its letter."""
    return {
        spelling: letter
        for letter, spellings in words.items()
        for spelling in (*spellings, *signs.get(letter, ()))
    }


LANGUAGES = tuple(
    (_by_spelling(words.ranks, _DIGITS), _by_spelling(words.suits, _SIGNS))
    for words in (ENGLISH, GERMAN, GERMAN_PACK, JAPANESE)
)
"""For each set of words the letter of each spelling of a rank, and of each spelling of a suit."""

SUITS: Mapping[str, str] = {
    spelling: letter for _, suits in LANGUAGES for spelling, letter in suits.items()
}
"""The letter of each spelling of a suit; no spelling means two suits."""
