"""Parsing of typed numbers, chips and money.

A text that is not a number of chips becomes 0, which the services reject with a message.
"""

import re

from ledger.words import currencies, digits
from ledger.words.translation import reader

_MOST_DIGITS = 100
"""The longest text parsed as a number."""
_THOUSANDS = r"-?[0-9]{{1,3}}({apart}[0-9]{{3}})+"


def whole_number(text: str) -> int | str:
    """Return a typed whole number of up to 100 digits, or any other text unchanged.

    It may have a minus and the reader's thousands separators. The service that knows the limit rejects more.

    >>> [whole_number(text) for text in (" 74 ", "−3", "٧٤", "9223372036854775807", "abc")]
    [74, -3, 74, 9223372036854775807, 'abc']
    >>> whole_number("1,000"), whole_number("1.000"), whole_number("1,00")
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
    """Return a typed number of chips, which may be negative, or 0 for any other text.

    >>> chips_of(" 150 "), chips_of("many")
    (150, 0)
    """
    number = whole_number(text)
    return number if isinstance(number, int) else 0


def money_of(text: str, currency: str, field: str) -> int:
    """Return a typed amount in minor units, or 0 for an empty text. Raises ``Invalid`` at ``field``.

    >>> money_of("0,5", "EUR", "amount"), money_of(" ", "EUR", "amount")
    (50, 0)
    """
    return currencies.read(text, currency, field) if text.strip() else 0


def number_of(text: str | None) -> int | None:
    """Return a number sent by one of our pages (a position, an id), or None for other texts.

    >>> number_of("3"), number_of(""), number_of("-1"), number_of("9" * 10)
    (3, None, None, None)
    """
    text = text or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def page_of(text: str) -> int:
    """Return the page number of a list, or 1 for an invalid one.

    >>> page_of("3"), page_of("0"), page_of("last")
    (3, 1, 1)
    """
    return max(number_of(text) or 1, 1)
