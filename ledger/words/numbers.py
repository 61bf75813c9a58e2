"""Formats amounts, money, cards and times in the reader's language, for pages and the PDF."""

from datetime import date, datetime

from engine.cards.cards import Card
from ledger.runtime.clock import zone_of
from ledger.words import currencies
from ledger.words.languages import ENGLISH
from ledger.words.translation import reader

MINUS = "\u2212"


def number(value: int) -> str:
    """Format an amount with the language's thousands separators and a typographic minus sign.

    >>> number(-1200), number(0)
    ('−1,200', '0')
    """
    return reader().number(value).replace("-", MINUS)


def change(value: int, none: str = "0") -> str:
    """Format a change of an amount with its sign; ``none`` stands for no change.

    >>> change(1250), change(-40), change(0)
    ('+1,250', '−40', '0')
    """
    return reader().figure(f"{value:+,}").replace("-", MINUS) if value else none


def money(value: int, currency: str) -> str:
    """Format an amount in minor units with the currency's decimals, but without its name.

    >>> money(123456, "EUR"), money(-5, "EUR"), money(123456, "JPY")
    ('1,234.56', '−0.05', '123,456')
    """
    return reader().figure(currencies.write(value, currency)).replace("-", MINUS)


def card(value: Card) -> str:
    """Format a card with the letters and in the order of the reader's language: in German ♣D.

    >>> card(Card.parse("TD"))
    '10♦'
    """
    return reader().card(value)


def day(on: date) -> str:
    """Format a date in full in the reader's language.

    >>> day(date(2025, 10, 3))
    '3 October 2025'
    """
    return _localized(on, "long") or f"{on.day} {on:%B %Y}"


def weekday(on: date) -> str:
    """Format a date with its weekday.

    >>> weekday(date(2025, 11, 20))
    'Thu 20 November 2025'
    """
    return _localized(on, reader().weekday) or f"{on:%a} {day(on)}"


def short_day(on: date) -> str:
    """Format a date briefly; an instant has the date of the service's time zone.

    >>> short_day(date(2025, 11, 20))
    '20 Nov 2025'
    """
    local = on.astimezone() if isinstance(on, datetime) else on
    return _localized(local, "medium") or f"{local.day} {local:%b %Y}"


def moment(at: datetime) -> str:
    """Format an instant in the service's time zone: "20 Nov 2025, 21:15 CET".

    There is no comma in a language without spaces.
    """
    local = at.astimezone()
    return f"{short_day(local)}{', ' if reader().gap else ' '}{local:%H:%M} {zone_of(local)}"


def _localized(on: date, how: str) -> str:
    """Format a date by CLDR's length or pattern ``how``; empty for English, which has formats of its own."""
    tag = reader().tag
    if tag == ENGLISH.tag:
        return ""
    from babel.dates import format_date  # most processes answer in English alone

    return format_date(on, how, locale=tag)
