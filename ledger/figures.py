"""Amounts, sums of money, cards and days as people read them: the same on pages and on paper."""

from datetime import date

from engine.cards.cards import Card
from ledger import currencies

MINUS = "\u2212"


def number(value: int) -> str:
    """Write an amount with a real minus sign.

    >>> number(-1200), number(0)
    ('−1,200', '0')
    """
    return f"{value:,}".replace("-", MINUS)


def change(value: int, none: str = "0") -> str:
    """Write what an amount changes by, its sign always there; no change has none.

    >>> change(1250), change(-40), change(0)
    ('+1,250', '−40', '0')
    """
    return f"{value:+,}".replace("-", MINUS) if value else none


def money(value: int, currency: str) -> str:
    """Write a sum of money, given in minor units, without its currency.

    >>> money(123456, "EUR"), money(-5, "EUR"), money(123456, "JPY")
    ('1,234.56', '−0.05', '123,456')
    """
    return currencies.write(value, currency).replace("-", MINUS)


def card(found: Card) -> str:
    """Write a card in plain text.

    >>> card(Card.parse("TD"))
    '10♦'
    """
    return f"{'10' if found.rank == 'T' else found.rank}{found.suit.symbol}"


def day(on: date) -> str:
    """Write a day, as on a letter.

    >>> day(date(2025, 10, 3))
    '3 October 2025'
    """
    return f"{on.day} {on:%B %Y}"
