"""Amounts, sums of money, cards and times as people read them: the same on pages and on paper.

Each reader has them as their language writes them.
"""

from datetime import date, datetime

from engine.cards.cards import Card
from ledger.runtime.clock import zone_of
from ledger.words import currencies
from ledger.words.languages import ENGLISH
from ledger.words.translation import reader

MINUS = "\u2212"


def number(value: int) -> str:
    """Write an amount with a real minus sign.

    >>> number(-1200), number(0)
    ('−1,200', '0')
    """
    return reader().number(value).replace("-", MINUS)


def change(value: int, none: str = "0") -> str:
    """Write what an amount changes by, its sign always there; no change has none.

    >>> change(1250), change(-40), change(0)
    ('+1,250', '−40', '0')
    """
    return reader().figure(f"{value:+,}").replace("-", MINUS) if value else none


def money(value: int, currency: str) -> str:
    """Write a sum of money, given in minor units, without its currency.

    >>> money(123456, "EUR"), money(-5, "EUR"), money(123456, "JPY")
    ('1,234.56', '−0.05', '123,456')
    """
    return reader().figure(currencies.write(value, currency)).replace("-", MINUS)


def card(found: Card) -> str:
    """Write a card in plain text, as the reader's packs have it: a queen is a German D.

    >>> card(Card.parse("TD"))
    '10♦'
    """
    rank = "10" if found.rank == "T" else reader().ranks.get(found.rank, found.rank)
    return f"{rank}{found.suit.symbol}"


def day(on: date) -> str:
    """Write a day, as on a letter.

    >>> day(date(2025, 10, 3))
    '3 October 2025'
    """
    return _in_their_way(on, "long") or f"{on.day} {on:%B %Y}"


def weekday(on: date) -> str:
    """Write a day with the day of the week.

    >>> weekday(date(2025, 11, 20))
    'Thu 20 November 2025'
    """
    return _in_their_way(on, reader().weekday) or f"{on:%a} {day(on)}"


def short_day(on: date) -> str:
    """Write a day in short; of an instant, the day where the service runs.

    >>> short_day(date(2025, 11, 20))
    '20 Nov 2025'
    """
    local = on.astimezone() if isinstance(on, datetime) else on
    return _in_their_way(local, "medium") or f"{local.day} {local:%b %Y}"


def moment(at: datetime) -> str:
    """Write an instant by the clock on the wall where the service runs, with its time zone.

    A language without spaces between words has no comma there either.
    """
    local = at.astimezone()
    return f"{short_day(local)}{', ' if reader().gap else ' '}{local:%H:%M} {zone_of(local)}"


def _in_their_way(on: date, how: str) -> str:
    """Write a day by the locale's data; empty for English, whose ways the table has its own of."""
    tag = reader().tag
    if tag == ENGLISH.tag:
        return ""
    from babel.dates import format_date  # most processes answer in English alone

    return format_date(on, how, locale=tag)
