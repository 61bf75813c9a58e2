"""Comparing names: which are the same, and which only look the same."""

import unicodedata
from collections.abc import Iterable

LONGEST_COMPARED = 1_000
"""A text with more characters, and so of more than 4,000 bytes, is compared as it is written."""

_UNSEEN = {"Cc", "Cf", "Cs"}
BLANK = frozenset(
    (
        *"\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0",
        *map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))),
    )
)
"""Fillers and variation selectors: Unicode counts them as letters, signs or marks, and they show nothing."""

_TWINS = str.maketrans(
    # Cyrillic, Greek and Armenian letters, then katakana.
    "АВЕЅІЈКМНОРСТУХҮԌԚԜҺӀаеѕіјкорсухүԁԛԝһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυχωՕՏՍոսօհցզエオカタトニハヘロー",
    "ABESIJKMHOPCTYXYGQWHIaesijkopcyxydqwhlABEZHIKMNOPTYXayikvopuxwOSUnuohgq工才力夕卜二八へ口一",
)
"""Letters that look like one of another script, of which Unicode lists many more (UTS 39, confusables)."""


def is_compared(character: str) -> bool:
    """Return whether a character counts when two names are compared: a visible one or white space."""
    if character.isspace():
        return True
    return unicodedata.category(character) not in _UNSEEN and character not in BLANK


def name_key(name: str) -> str:
    r"""Return the form in which two names are compared: Ann, ANN, ａｎｎ and " Ann " are one.

    It is Unicode's caseless match for compatible characters, without invisible ones. A text that is too long
    to be a name is its own key.

    >>> name_key(" Ann\u200b"), name_key("Mary  ANN"), name_key("Zoe\u0308") == name_key("Zo\u00eb")
    ('ann', 'mary ann', True)
    """
    if len(name) > LONGEST_COMPARED:
        return name
    if name.isascii() and name.isprintable():  # as most names
        return " ".join(name.lower().split())
    compared = "".join(filter(is_compared, name))
    folded = unicodedata.normalize("NFD", compared).casefold()
    folded = unicodedata.normalize("NFKD", folded).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def look_alike(name: str, others: Iterable[str]) -> str | None:
    r"""Return the first of the others that looks like a name but has letters of another script, or `None`.

    A name with the same key is the same name, not a look-alike. Names in one script never look alike, nor
    does a text that is too long to be a name.

    >>> look_alike("\u0410nn", ["Bob", "ann"]), look_alike("Ann", ["ann"]), look_alike("Al", ["AI"])
    ('ann', None, None)
    """
    if len(name) > LONGEST_COMPARED:
        return None
    key, look = name_key(name), _look(name)
    for other in others:
        if name.isascii() and other.isascii():
            continue
        if _look(other) == look and name_key(other) != key and len(_scripts(name + other)) > 1:
            return other
    return None


def _look(name: str) -> str:
    """Return a name's key with each letter replaced by its twin in another script."""
    return name_key(unicodedata.normalize("NFKD", name).translate(_TWINS))


def _scripts(text: str) -> set[str]:
    """Return the scripts of a text's letters, such as `LATIN`: the first word of each letter's name."""
    letters = filter(str.isalpha, unicodedata.normalize("NFKD", text))
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}
