"""Emoji of players: one that a phone's keyboard has, or none."""

import re
from unicodedata import category, east_asian_width

from engine.words.sentences import say
from ledger.words.problems import Invalid

_LONGEST = 16
"""The most code points of an emoji; families and flags of regions have eleven at most."""

_JOINER, _PICTURE, _KEYCAP = "\u200d", "\ufe0f", "\u20e3"
_SYMBOL = "[\u00a9\u00ae\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
_TONE, _TAGS = "[\U0001f3fb-\U0001f3ff]", "[\U000e0020-\U000e007e]+\U000e007f"
_ONE = f"{_SYMBOL}(?:{_TONE}|{_PICTURE})?(?:{_TAGS})?"
_EMOJI = re.compile(
    f"[0-9#*]{_PICTURE}?{_KEYCAP}|[\U0001f1e6-\U0001f1ff]{{2}}|{_ONE}(?:{_JOINER}{_ONE})*"
)


def is_emoji(text: str) -> bool:
    """Return whether a text is one emoji, by itself or joined of several, as a family is.

    >>> [is_emoji(text) for text in ("🦊", "❤️", "👩🏽‍🚀", "🇯🇵", "🦊🦊", "A", "♠", "🂡")]
    [True, True, True, True, False, False, False, False]
    """
    if len(text) > _LONGEST or not _EMOJI.fullmatch(text):
        return False
    # Narrow symbols are text unless a selector makes them pictures; unassigned ones have no width.
    return any(letter in text for letter in (_PICTURE, _KEYCAP)) or all(
        east_asian_width(letter) == "W" or 0x1F1E6 <= ord(letter) <= 0x1F1FF
        for letter in text
        if category(letter) in ("So", "Sm", "Cn")
    )


def clean(text: str, field: str) -> str:
    """Return an emoji without outer spaces, or an empty text. Raises ``Invalid`` at ``field`` for others."""
    emoji = text[: 2 * _LONGEST].strip()
    if emoji and not is_emoji(emoji):
        sentence = say(
            "Only one emoji fits here, such as {example}; or leave it empty.", example="🦊"
        )
        raise Invalid.at(field, "not-an-emoji", sentence)
    return emoji
