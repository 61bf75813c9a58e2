"""Figures, cards and dates as a reader of English expects them on paper."""

from datetime import date, datetime

from ledger import currencies

MINUS = "\u2212"
ZERO = "\u00b7"

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RED = frozenset("HD")

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip


def signed(amount: int) -> str:
    """Return an amount with its sign.

    >>> signed(1250), signed(-40), signed(0)
    ('+1,250', '−40', '·')
    """
    if not amount:
        return ZERO
    return f"{'+' if amount > 0 else MINUS}{abs(amount):,}"


def plain(amount: int) -> str:
    """Return an amount with a real minus and no plus.

    >>> plain(1250), plain(-40), plain(0)
    ('1,250', '−40', '0')
    """
    return f"{MINUS if amount < 0 else ''}{abs(amount):,}"


def money(amount: int, currency: str) -> str:
    """Return money with a real minus, and without its currency.

    >>> money(123456, "EUR"), money(-40, "EUR"), money(0, "EUR")
    ('1,234.56', '−0.40', '0.00')
    """
    return f"{MINUS if amount < 0 else ''}{currencies.write(abs(amount), currency)}"


def card(name: str) -> str:
    """Return a card as it looks in the hand.

    >>> card("TD"), card("7H")
    ('10♦', '7♥')
    """
    rank, suit = name[:-1], name[-1:]
    return f"{'10' if rank == 'T' else rank}{SUITS.get(suit, suit)}"


def day(on: date) -> str:
    """Return a date in words.

    >>> day(date(2025, 10, 3))
    '3 October 2025'
    """
    return f"{on.day} {_MONTHS[on.month - 1]} {on.year}"


def moment(at: datetime, printed_at: datetime) -> str:
    """Return the time of an entry, in the time zone the report is printed in."""
    local = at.astimezone(printed_at.tzinfo)
    return f"{local.day} {_MONTHS[local.month - 1][:3]}, {local:%H:%M}"


def count(number: int, noun: str) -> str:
    """Return a number of things.

    >>> count(1, "hand"), count(44, "hand")
    ('1 hand', '44 hands')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
