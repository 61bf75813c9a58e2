"""Texts that people type: what one may hold, the same for names, titles, labels, reasons and notes.

Every script is welcome, right-to-left ones too, and emoji of several parts. What can't be seen but changes
how the rest is read is not welcome: control characters, and format characters such as those that turn the
direction of writing round, which could make "40" read as "04". The two joiners stay, as Persian, Hindi and
emoji need them, and so do the letters that make a flag of a part of a country.
"""

import re
import unicodedata

from engine.record.names import BLANK
from engine.words.sentences import say
from ledger.words.problems import Invalid

MOST_COMPOSED = 4
"""Composing (NFC) makes one character of at most four, so a text of more than that many is too long."""

_JOINERS = {"\u200c", "\u200d"}
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f")
_BREAKS = {"\t", "\n", "\r"}


def one_line(text: str, field: str, what: str, longest: int, code: str) -> str:
    """Return a text composed (NFC), in one line, its outer and double spaces gone; empty where none shows.

    ``what`` begins the sentence that ``Invalid`` says at ``field``, ``code`` its code, for a text that is
    longer than ``longest`` or holds what can't be seen.
    """
    line = " ".join(text.split())
    if (
        len(line) <= MOST_COMPOSED * longest
    ):  # to compose it costs the square of what stands in disorder
        line = unicodedata.normalize("NFC", line)
    check(line, field, what, longest, code)
    return line if any(map(is_seen, line)) else ""


def check(text: str, field: str, what: str, longest: int, code: str) -> None:
    """Raise ``Invalid`` for a text, of several lines or one, that is too long or holds what can't be seen."""
    if len(text) > longest:
        raise Invalid.at(
            field,
            f"{code}-too-long",
            say(
                "{what} has {n:,} characters; the limit is {longest:,}.",
                what=what,
                n=len(text),
                longest=longest,
            ),
        )
    if any(map(is_hidden, _FLAG.sub("", text))):
        raise Invalid.at(
            field,
            f"{code}-has-controls",
            say("{what} holds an invisible control character; leave it out.", what=what),
        )


def isolate(name: str) -> str:
    """Fence a name off that is written from right to left, so that it reverses nothing beside it.

    >>> isolate("Ann"), isolate("\u05d0\u05d1\u05d9") == "\u2068\u05d0\u05d1\u05d9\u2069"
    ('Ann', True)
    """
    turned = any(unicodedata.bidirectional(each) in {"R", "AL"} for each in name)
    return f"\u2068{name}\u2069" if turned else name


def is_hidden(character: str) -> bool:
    """Whether a character is a control or format character that no text of people needs."""
    allowed = character in _JOINERS or character in _BREAKS
    return not allowed and unicodedata.category(character) in {"Cc", "Cf", "Cs"}


def is_seen(character: str) -> bool:
    """Whether a character leaves something to be seen."""
    return unicodedata.category(character)[0] in "LNPS" and character not in BLANK
