"""Converts numbers in any script, as people type them, to ASCII."""

import unicodedata

_MARKS = {"\u2212": "-", "\u066b": ".", "\u066c": ","}
"""The minus sign, and the Arabic decimal and thousands separators."""


def western(text: str) -> str:
    """Return a text with the digits of any script as 0–9, and −, ٫ and ٬ as ``-``, ``.`` and ``,``.

    Any other character stays, also a full-width comma.

    >>> western("−١٢٫٥٠"), western("७४")
    ('-12.50', '74')
    """
    return "".join(
        str(unicodedata.decimal(character))
        if character.isdecimal()
        else _MARKS.get(character, character)
        for character in text
    )
