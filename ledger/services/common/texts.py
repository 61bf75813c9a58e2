"""Checks of the texts that people type: names, titles, labels, reasons and notes.

Every script is valid, also right-to-left ones, and so are emoji of several parts. Control characters are
refused, and so are invisible format characters, which could make "40" read as "04". The two joiners are
valid, because Persian, Hindi and emoji need them, and so are the characters of the flags of regions.
"""

import re
import unicodedata

from engine.record.names import BLANK
from engine.words.sentences import say
from ledger.words.problems import Invalid

MOST_COMPOSED = 4
"""The most characters that compose (NFC) to one; a longer text can't become short enough."""

_JOINERS = {"\u200c", "\u200d"}
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f")
_BREAKS = {"\t", "\n", "\r"}


def one_line(text: str, field: str, what: str, longest: int, code: str) -> str:
    """Return a text composed (NFC) and in one line, without outer and double spaces; empty if invisible.

    Raises ``Invalid`` at ``field``, with a message about ``what`` and an error code that begins with
    ``code``, for a text that is longer than ``longest`` or contains invisible characters.
    """
    line = " ".join(text.split())
    # Composing takes quadratic time in the number of combining marks.
    if len(line) <= MOST_COMPOSED * longest:
        line = unicodedata.normalize("NFC", line)
    check(line, field, what, longest, code)
    return line if any(map(is_visible, line)) else ""


def check(text: str, field: str, what: str, longest: int, code: str) -> None:
    """Raise ``Invalid`` at ``field`` for a text that is too long or contains invisible characters.

    The text may have several lines. The other arguments are those of ``one_line``.
    """
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
    """Isolate a name with right-to-left letters, so that the text around it keeps its direction.

    Any other name is returned unchanged.

    >>> isolate("Ann"), isolate("\u05d0\u05d1\u05d9") == "\u2068\u05d0\u05d1\u05d9\u2069"
    ('Ann', True)
    """
    is_rtl = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\u2068{name}\u2069" if is_rtl else name


def is_hidden(character: str) -> bool:
    """Return whether a character is a control, format or surrogate one, but no joiner, tab or line break."""
    is_allowed = character in _JOINERS or character in _BREAKS
    return not is_allowed and unicodedata.category(character) in {"Cc", "Cf", "Cs"}


def is_visible(character: str) -> bool:
    """Return whether a character is a letter, number, symbol or punctuation mark, and not a blank one."""
    return unicodedata.category(character)[0] in "LNPS" and character not in BLANK
