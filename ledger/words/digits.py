"""Numbers in any script: who types at the table types as their keyboard does."""

import unicodedata

_MARKS = {"\u2212": "-", "\u066b": ".", "\u066c": ","}
"""The minus sign, and the Arabic marks before decimals and between thousands."""


def western(text: str) -> str:
    """Write the digits, minus and marks of a number as 0–9, ``-``, ``.`` and ``,``, whatever its script.

    >>> western("−١٢٫٥٠"), western("७४")
    ('-12.50', '74')
    """
    return "".join(
        str(unicodedata.decimal(each)) if each.isdecimal() else _MARKS.get(each, each)
        for each in text
    )
