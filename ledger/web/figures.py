"""Numbers as people type them: chips are whole, money has at most two places after a point or comma.

What is no number counts as none, which no service takes; it then says what would have been right.
"""

import re

from ledger.web.form import whole

_MONEY = re.compile(r"(\d{1,8})(?:[.,](\d{1,2}))?")


def chips_of(text: str) -> int:
    """Read a number of chips; 0 where it is none.

    >>> chips_of(" 150 "), chips_of("many")
    (150, 0)
    """
    found = whole(text)
    return found if isinstance(found, int) else 0


def money_of(text: str) -> int:
    """Read a sum of money in minor units; 0 where it is none.

    >>> money_of("2"), money_of("0,5"), money_of("12.05"), money_of("1.005")
    (200, 50, 1205, 0)
    """
    found = _MONEY.fullmatch(text.strip())
    if found is None or not text.isascii():
        return 0
    return int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0"))


def place_of(text: str) -> int | None:
    """Read a place at the table; None where nobody chose one.

    >>> place_of("3"), place_of(""), place_of("-1")
    (3, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None


def page_of(text: str) -> int:
    """Read the number of a page of a list, from 1; anything else is the first.

    >>> page_of("3"), page_of("0"), page_of("last")
    (3, 1, 1)
    """
    return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) < 7 else 1
