"""How numbers, suits, cards and times are written on the pages."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from itertools import groupby

from flask import Flask
from markupsafe import Markup, escape

from engine.cards.cards import Card, Suit
from engine.rules.pots import POTS
from engine.rules.verdict import Verdict
from engine.words.sentences import later
from ledger.database.kinds.accounts import TITLES
from ledger.services.chips.change import ChipPayment
from ledger.services.reads.summary import HandLine, hand_count
from ledger.services.session.view import SessionView
from ledger.web.frame.messages import done, entry_word, event_word, last_word, whose
from ledger.web.frame.plot import Plot
from ledger.words import currencies
from ledger.words import numbers as figures
from ledger.words.numbers import MINUS, change, moment, money, number, short_day, weekday
from ledger.words.problems import counted
from ledger.words.translation import cached_per_language, reader, term

_LONG = 10_000_000


def init_app(app: Flask) -> None:
    """Teach the templates these words, most of them under their own names."""
    filters = (number, change, money, typed, alike, suit, card, average, isolating)
    shown = (show_amount, show_balance, show_money, show_money_change)
    app.jinja_env.filters.update(
        {each.__name__: each for each in filters}, date=short_day, day=weekday, moment=show_moment
    )
    said = (
        done,
        entry_word,
        last_word,
        whose,
        many,
        pieces,
        moved,
        players_of,
        are_long,
        initials,
        told_standings,
    )
    of_verdicts = (side_of, pots_of)
    every = (*said, *of_verdicts, *shown, event_word)
    app.jinja_env.globals.update({each.__name__: each for each in every})
    app.jinja_env.globals.update(account_word=TITLES.get, card_text=figures.card)
    app.jinja_env.globals.update(hand_count=hand_count)


def many(value: int, noun: str) -> str:
    """Write so many of something.

    >>> many(1, "chip"), many(-1200, "chip")
    ('1 chip', '−1,200 chips')
    """
    return counted(value, noun).replace("-", MINUS)


def typed(value: int, currency: str) -> str:
    """Write a sum of money as its reader types it into a field: with a comma in German.

    >>> typed(123456, "EUR")
    '1234.56'
    """
    return reader().figure(currencies.write(value, currency, grouped=False))


def average(value: Fraction) -> str:
    """Write an average with one place, its sign always there.

    >>> average(Fraction(-50, 4)), average(Fraction(0))
    ('−12.5', '0')
    """
    return reader().figure(f"{float(value):+,.1f}").replace("-", MINUS) if value else "0"


def pieces(held: Mapping[int, int]) -> str:
    """Write pieces of chips, the largest first.

    >>> pieces({5: 2, 20: 1})
    '1 × 20, 2 × 5'
    """
    every = sorted(held, reverse=True)
    return reader().comma.join(f"{held[value]} × {value:,}" for value in every)


def alike(paid: Iterable[ChipPayment]) -> list[tuple[list[str], ChipPayment]]:
    """Put those together who pay the same to the same, one after another: seven antes are one line."""
    rows = groupby(paid, key=lambda each: replace(each, payer=""))
    return [([each.payer for each in same], first) for first, same in rows]


@cached_per_language
def show_amount(value: int) -> Markup:
    """Show what somebody gained or lost, in its colour."""
    return _in_colour(value, change(value))


@cached_per_language
def show_balance(value: int) -> Markup:
    """Show what somebody stands at, in its colour."""
    return _in_colour(value, number(value))


@cached_per_language
def show_money(value: int, currency: str) -> Markup:
    """Show what somebody stands at in money, in its colour."""
    return _in_colour(value, money(value, currency))


@cached_per_language
def show_money_change(value: int, currency: str) -> Markup:
    """Show what somebody gained or lost in money, in its colour."""
    return _in_colour(value, f"{'+' if value > 0 else ''}{money(value, currency)}")


def _in_colour(value: int, text: str) -> Markup:
    way = "up" if value > 0 else "down" if value < 0 else ""
    return Markup('<span class="amount {}">{}</span>').format(way, text)


@cached_per_language
def suit(letter: str) -> Markup:
    """Show a suit: its sign in its colour, its word for those who don't see it."""
    found = Suit(letter)
    return _sign(found, f"{found.symbol}\ufe0e", term(found.word))


@cached_per_language
def card(code: str) -> Markup:
    """Show a card as people write it, 10♦ for TD."""
    found = Card.parse(code)
    return _sign(found.suit, f"{figures.card(found)}\ufe0e", "")


def _sign(found: Suit, text: str, word: str) -> Markup:
    colour = "red" if found.is_red else "black"
    title = Markup(' title="{}"').format(word) if word else ""
    shown = Markup('<span class="suit {} suit-{}"{}>{}</span>')
    return shown.format(colour, found.value, title, text)


def show_moment(at: datetime) -> Markup:
    """Show an instant by the service's clock; a script shows it by the reader's."""
    shown = Markup('<time datetime="{}">{}</time>')
    return shown.format(at.astimezone(UTC).isoformat(timespec="seconds"), moment(at))


def isolating(text: str, names: Iterable[str]) -> Markup:
    """Fence off every name in a sentence, so that none turns the figures beside it around.

    >>> isolating("Ann pays Annabel", ["Ann", "Annabel"])
    Markup('<bdi>Ann</bdi> pays <bdi>Annabel</bdi>')
    """
    parts = _around(tuple(names)).split(str(text))
    parts[1::2] = [f"<bdi>{escape(name)}</bdi>" for name in parts[1::2]]
    parts[::2] = map(escape, parts[::2])
    return Markup("".join(parts))  # noqa: S704 - each part is made safe


@lru_cache(256)
def _around(names: tuple[str, ...]) -> re.Pattern[str]:
    """Find any of these names; where two begin alike, the longer one."""
    either = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(f"({either})" if either else r"(?!)")


def are_long(figures: Iterable[int]) -> bool:
    """Whether one of these is so long that three of its kind leave no room for a name on a phone.

    >>> are_long([150, -9_999_999]), are_long([10_000_000])
    (False, True)
    """
    return any(abs(figure) >= _LONG for figure in figures)


def players_of(view: SessionView) -> list[str]:
    """Name everybody who has or had a seat, once each, as the figures of a hand's line stand."""
    return list(dict.fromkeys(seat.name for seat in view.seats))


def initials(names: Sequence[str]) -> list[str]:
    """Shorten names to marks: the first letter, or as many more as it takes to tell two apart, up to three.

    >>> initials(["Ann", "Bob", "Anton", "山田"]), initials(["Al", "Al 2"])
    (['Ann', 'B', 'Ant', '山'], ['Al', 'Al2'])
    """
    bare = ["".join(name.split()) for name in names]

    def mark(place: int) -> str:
        own = bare[place]
        rest = [other.casefold() for other in bare[:place] + bare[place + 1 :]]
        for length in (1, 2, 3):
            start = own[:length]
            if not any(other.startswith(start.casefold()) for other in rest):
                return start
        return own[:3]

    return list(map(mark, range(len(bare))))


def told_standings(plot: Plot) -> str:
    """Say how everybody stands, for who does not see the lines."""
    ranked = sorted(plot.lines, key=lambda line: -line.total)
    return reader().comma.join(f"{line.name} {change(line.total)}" for line in ranked)


def moved(line: HandLine, names: Sequence[str]) -> list[tuple[str, int]]:
    """Return who gained and who lost in a hand: bidder, partner, then the others by seat."""
    deltas = dict(zip(names, line.deltas, strict=True))
    side = [name for name in (line.bidder, line.partner) if name]
    order = [*side, *(name for name in names if name not in side)]
    return [(name, deltas[name]) for name in order if deltas[name]]


def side_of(verdict: Verdict) -> list[tuple[str, int]]:
    """Return what the bidding side gains or loses."""
    return [(name, verdict.deltas[name]) for name in (verdict.bidder, verdict.partner) if name]


def pots_of(verdict: Verdict) -> list[tuple[str, int]]:
    """Return what of the bidder's figure is the ante, and what a pot taken or matched."""
    if verdict.bidder is None:
        return []
    moved = [
        transfer.amount if transfer.payee == verdict.bidder else -transfer.amount
        for transfer in verdict.transfers
        if verdict.bidder in (transfer.payer, transfer.payee)
        and not {transfer.payer, transfer.payee}.isdisjoint(POTS)
    ]
    ante = -sum(sum(step.values.values()) for step in verdict.steps if step.key == "antes")
    parts = [(later("ante"), ante), (later("pot"), sum(moved) - ante)]
    return [(word, amount) for word, amount in parts if amount]
