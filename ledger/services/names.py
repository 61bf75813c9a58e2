"""Names people give: what one may be, and when two are the same."""

import unicodedata

from ledger.problems import Invalid

LONGEST = 64
_JOINERS = {"\u200c", "\u200d"}  # written Persian, Hindi and many emoji need them
_RESERVED = {"widow", "spit"}
# Fillers and variation selectors: Unicode counts them as letters, signs or marks, and shows nothing.
_BLANK = {
    *"\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0",
    *map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))),
}


def clean(text: str, field: str, what: str) -> str:
    """Return ``text`` as it is kept: composed (NFC), its outer and double spaces gone.

    Any Unicode name will do. Raises ``Invalid`` at ``field`` for one that is empty or invisible, longer
    than 64 characters, or holds ``<``, ``>`` or control characters.
    """
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(name) > LONGEST:
        raise Invalid.at(
            field,
            "name-too-long",
            f"{what} has {len(name)} characters; {LONGEST} are the most that fit.",
        )
    if any(_is_control(character) for character in name):
        raise Invalid.at(
            field,
            "name-has-controls",
            f"{what} holds an invisible control character; leave it out.",
        )
    if not any(map(_is_seen, name)):
        raise Invalid.at(
            field, "name-empty", f"{what} is missing; write at least one letter, number or sign."
        )
    if "<" in name or ">" in name:
        raise Invalid.at(
            field, "name-has-brackets", f"{what} can't hold < or >; write it without them."
        )
    return name


def clean_player(text: str, field: str = "name") -> str:
    """Return a player's name as kept; ``widow`` and ``spit`` mean other things in a hand record."""
    name = clean(text, field, "The player's name")
    if key(name) in _RESERVED:
        raise Invalid.at(
            field,
            "name-reserved",
            f"“{name}” means something else in a hand record; add an initial.",
        )
    return name


def key(name: str) -> str:
    """Return the form in which two names are compared: Ann, ANN, ａｎｎ and " Ann " are one.

    Unicode's caseless match for compatible characters, of what can be seen: a name that ``clean`` would
    refuse has a key, too, so that asking for it finds nothing instead of failing.
    """
    seen = "".join(filter(_is_compared, name))
    folded = unicodedata.normalize("NFD", seen).casefold()
    folded = unicodedata.normalize("NFKD", folded).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def _is_seen(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS" and character not in _BLANK


def _is_compared(character: str) -> bool:
    if character.isspace():
        return True
    return unicodedata.category(character) not in {"Cc", "Cf", "Cs"} and character not in _BLANK


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cs"} and character not in _JOINERS
