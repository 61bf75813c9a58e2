"""Unicode helpers: cleaning, grapheme clusters, direction and marks."""

import re
import unicodedata

_OPEN, _CLOSE = "\u2068", "\u2069"
_JOINERS = {"\u200c", "\u200d"}
_FORMAT = re.compile("[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_MARKED = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0590-\u08ff\u1ab0-\u1aff\u200c\u200d\u20d0-\u20ff"
    "\u2066-\u2069\ufb1d-\ufdff\ufe00-\ufe0f\ufe70-\ufefc]"
)


def right_to_left(text: str) -> bool:
    """Return whether any of the text is written from right to left."""
    return bool(_RIGHT_TO_LEFT.search(text))


def has_marks(text: str) -> bool:
    """Return whether a text has joining letters, marks or direction controls, so that it needs shaping."""
    return bool(_MARKED.search(text))


def unfenced(text: str) -> str:
    """Return a text without direction controls."""
    return _FORMAT.sub("", text)


def isolate(name: str) -> str:
    """Return a name in isolates, so that a right-to-left name does not reorder the words around it."""
    return f"{_OPEN}{unfenced(name)}{_CLOSE}"


def clean(text: str) -> str:
    """Return `text` composed (NFC) and on one line: white space becomes spaces.

    Controls are left out, except joiners and isolates; a lone surrogate becomes U+FFFD.
    """
    if text.isascii() and text.isprintable():
        return text
    composed = unicodedata.normalize("NFC", text)
    return "".join(filter(None, map(_printable, composed)))


def _printable(char: str) -> str:
    """Return a character in printable form: white space as a space, controls as nothing."""
    category = unicodedata.category(char)
    if category in {"Zs", "Zl", "Zp"} or char in "\t\n\r\v\f":
        return " "
    if category == "Cs":
        return "\ufffd"
    if category == "Cc" or (category == "Cf" and char not in _JOINERS | {_OPEN, _CLOSE}):
        return ""
    return char


def clusters(text: str) -> list[str]:
    """Split a text into grapheme clusters: a base character with its marks."""
    groups: list[str] = []
    for char in text:
        hangs = unicodedata.category(char).startswith("M") or ignorable(char)
        tone = "\U0001f3fb" <= char <= "\U0001f3ff"
        if groups and (hangs or tone or groups[-1].endswith("\u200d")):
            groups[-1] += char
        else:
            groups.append(char)
    return groups


def ignorable(char: str) -> bool:
    """Return whether a character only controls the shaping of its neighbours."""
    return char in _JOINERS or "\ufe00" <= char <= "\ufe0f" or "\U000e0000" <= char <= "\U000e0fff"


def steerless(cluster: str) -> str:
    """Return a cluster without shaping controls, except joiners of right-to-left scripts."""
    keep = _JOINERS if right_to_left(cluster) else set()
    return "".join(char for char in cluster if char in keep or not ignorable(char))
