"""Numbers as people type them: chips are whole, money has the decimals of the club's currency.

What is not a number of chips counts as none, which no service takes; it then says what would have been right.
"""

import re

from ledger.words import currencies, digits
from ledger.words.translation import reader

_MOST_DIGITS = 100
"""Of a number that is read at all: nobody who types more means one."""
_THOUSANDS = r"-?[0-9]{{1,3}}({apart}[0-9]{{3}})+"


def whole(text: str) -> int | str:
    """Read a whole number as people type one, its thousands apart or not; anything else stays text.

    However long it is, it is read whole: half a number is another number, and what is too many is refused by
    the service that knows the limit.

    >>> whole(" 74 "), whole("−3"), whole("٧٤"), whole("9223372036854775807"), whole("abc")
    (74, -3, 74, 9223372036854775807, 'abc')
    >>> whole("1,000"), whole("1.000"), whole("1,00")
    (1000, '1.000', '1,00')
    """
    if text.isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS:
        return int(text)
    plain, apart = digits.western(text.strip()), reader().thousands
    if apart in plain and re.fullmatch(_THOUSANDS.format(apart=re.escape(apart)), plain):
        plain = plain.replace(apart, "")
    amount = plain.removeprefix("-")
    return int(plain) if amount.isdecimal() and len(amount) <= _MOST_DIGITS else text


def chips_of(text: str) -> int:
    """Read a number of chips; 0 where it is none.

    >>> chips_of(" 150 "), chips_of("many")
    (150, 0)
    """
    found = whole(text)
    return found if isinstance(found, int) else 0


def money_of(text: str, currency: str, field: str) -> int:
    """Read a sum of money in minor units; 0 where none was typed. Raises ``Invalid`` at ``field``.

    >>> money_of("0,5", "EUR", "amount"), money_of(" ", "EUR", "amount")
    (50, 0)
    """
    return currencies.read(text, currency, field) if text.strip() else 0


def number_of(text: str | None) -> int | None:
    """Read a number that a page of ours sends, such as a place or an entry's; None for anything else.

    >>> number_of("3"), number_of(""), number_of("-1"), number_of("9" * 10)
    (3, None, None, None)
    """
    text = text or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def page_of(text: str) -> int:
    """Read the number of a page of a list, from 1; anything else is the first.

    >>> page_of("3"), page_of("0"), page_of("last")
    (3, 1, 1)
    """
    return max(number_of(text) or 1, 1)
