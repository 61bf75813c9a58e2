"""Template filters and functions: numbers, suits, cards, times and names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from flask import Flask, url_for
from markupsafe import Markup, escape

from engine.cards.cards import Card, Suit
from engine.rules.pots import POTS
from engine.rules.verdict import Verdict
from engine.words.sentences import later
from ledger.database.kinds.accounts import TITLES
from ledger.runtime.clock import local
from ledger.services.chips.change import ChipPayment
from ledger.services.club.players import PlayerView
from ledger.services.reads.summary import HandLine, hand_count
from ledger.services.session.view import SessionView
from ledger.web.frame.messages import entry_word, event_word, last_word, notice_of, player_of
from ledger.web.frame.plot import Plot
from ledger.words import currencies
from ledger.words import numbers as figures
from ledger.words.numbers import MINUS, change, moment, money, number, short_day, weekday
from ledger.words.player_marks import MANY, player_colour
from ledger.words.problems import counted
from ledger.words.translation import cached_per_language, reader, term

_LONG = 10_000_000
_LONG_WORD = 11


def init_app(app: Flask) -> None:
    """Register the filters and functions, most of them under their own names."""
    filters = (
        number,
        change,
        money,
        typed,
        payment_groups,
        suit,
        card,
        average,
        isolating,
        unbroken,
    )
    amount_filters = (show_amount, show_balance, show_money, show_money_change)
    app.jinja_env.filters.update(
        {function.__name__: function for function in filters},
        date=short_day,
        day=weekday,
        moment=show_moment,
        amount=show_amount,
        balance=show_balance,
        hour=hour,
    )
    functions = (
        notice_of,
        entry_word,
        last_word,
        player_of,
        many,
        pieces,
        moved,
        players_of,
        are_long,
        has_long_word,
        marks_of,
        mark_points,
        image,
        sign,
        standings_text,
        zip,
    )
    of_verdicts = (side_of, pots_of)
    all_functions = (*functions, *of_verdicts, *amount_filters, event_word)
    app.jinja_env.globals.update({function.__name__: function for function in all_functions})
    app.jinja_env.globals.update(account_word=TITLES.get, card_text=figures.card)
    app.jinja_env.globals.update(hand_count=hand_count)


def many(value: int, noun: str) -> str:
    """Return a count with its noun.

    >>> many(1, "chip"), many(-1200, "chip")
    ('1 chip', '−1,200 chips')
    """
    return counted(value, noun).replace("-", MINUS)


def typed(value: int, currency: str) -> str:
    """Return an amount in the form in which the reader would type it: with a comma in German.

    >>> typed(123456, "EUR")
    '1234.56'
    """
    return reader().figure(currencies.write(value, currency, grouped=False))


def average(value: Fraction) -> str:
    """Return an average with one decimal and its sign.

    >>> average(Fraction(-50, 4)), average(Fraction(0))
    ('−12.5', '0')
    """
    return reader().figure(f"{float(value):+,.1f}").replace("-", MINUS) if value else "0"


def pieces(counts: Mapping[int, int]) -> str:
    """Return pieces of chips as text, largest value first.

    >>> pieces({5: 2, 20: 1})
    '1 × 20, 2 × 5'
    """
    values = sorted(counts, reverse=True)
    return reader().comma.join(f"{counts[value]} × {value:,}" for value in values)


def payment_groups(paid: Iterable[ChipPayment]) -> list[tuple[list[str], ChipPayment]]:
    """Group consecutive payments that differ only in the payer: seven antes become one line.

    Return the payers of each group with their payment, in which the payer is left empty.
    """
    rows = groupby(paid, key=lambda payment: replace(payment, payer=""))
    return [([payment.payer for payment in group], shared) for shared, group in rows]


@cached_per_language
def show_amount(value: int) -> Markup:
    """Return a gain or loss as HTML, with its sign and in its colour; 0 has no colour."""
    return _in_colour(value, change(value))


@cached_per_language
def show_balance(value: int) -> Markup:
    """Return a balance as HTML in its colour, without a plus sign."""
    return _in_colour(value, number(value))


@cached_per_language
def show_money(value: int, currency: str) -> Markup:
    """Return a balance in money as HTML in its colour, without a plus sign or the currency."""
    return _in_colour(value, money(value, currency))


@cached_per_language
def show_money_change(value: int, currency: str) -> Markup:
    """Return a gain or loss in money as HTML, with its sign and in its colour, without the currency."""
    return _in_colour(value, f"{'+' if value > 0 else ''}{money(value, currency)}")


def _in_colour(value: int, text: str) -> Markup:
    way = "up" if value > 0 else "down" if value < 0 else ""
    return Markup('<span class="amount {}">{}</span>').format(way, text)


@cached_per_language
def suit(letter: str) -> Markup:
    """Return a suit's symbol in its colour, with its name as title."""
    parsed = Suit(letter)
    return _sign(parsed, f"{parsed.symbol}\ufe0e", term(parsed.word))


@cached_per_language
def card(code: str) -> Markup:
    """Return a card in its colour: 10♦ for TD, in German ♦10."""
    parsed = Card.parse(code)
    symbol = parsed.suit.symbol
    return _sign(parsed.suit, figures.card(parsed).replace(symbol, f"{symbol}\ufe0e"), "")


def _sign(colored: Suit, text: str, word: str) -> Markup:
    colour = "red" if colored.is_red else "black"
    title = Markup(' title="{}"').format(word) if word else ""
    markup = Markup('<span class="suit {} suit-{}"{}>{}</span>')
    return markup.format(colour, colored.value, title, text)


def show_moment(at: datetime) -> Markup:
    """Return a time in the service's zone; a script converts it to the reader's."""
    utc = at.astimezone(UTC).isoformat(timespec="seconds")
    return Markup('<time datetime="%s">%s</time>') % (utc, moment(at))


def hour(at: datetime) -> str:
    """Return a moment's time of day by the reader's clock."""
    return f"{local(at):%H:%M}"


def unbroken(text: object) -> str:
    r"""Return a sentence whose lines don't end before a figure or its equals sign.

    >>> unbroken("to the nearest 5 = 5")
    'to the nearest\xa05\xa0=\xa05'
    """
    return re.sub(r" (?=(?:= )?\d)", "\xa0", str(text))


def isolating(texts: Iterable[str], names: Iterable[str]) -> Iterator[Markup]:
    """Yield sentences with every name in ``<bdi>``, so that right-to-left names reorder nothing else.

    >>> list(isolating(["Ann pays Annabel"], ["Ann", "Annabel"]))
    [Markup('<bdi>Ann</bdi> pays <bdi>Annabel</bdi>')]
    """
    longer_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(f"({'|'.join(map(re.escape, longer_first))})" if longer_first else r"(?!)")
    for text in texts:
        parts = pattern.split(str(text))
        parts[1::2] = [f"<bdi>{escape(name)}</bdi>" for name in parts[1::2]]
        parts[::2] = map(escape, parts[::2])
        yield Markup("".join(parts))  # noqa: S704 - each part is made safe


def are_long(figures: Iterable[int]) -> bool:
    """Return whether a figure is so long that three of them leave no room for a name on a phone.

    >>> are_long([150, -9_999_999]), are_long([10_000_000])
    (False, True)
    """
    return any(abs(figure) >= _LONG for figure in figures)


def has_long_word(text: object) -> bool:
    """Return whether a text has a word that is too long for a narrow button in letters of the usual size.

    >>> has_long_word("Bartholomaeusz"), has_long_word("José María")
    (True, False)
    """
    return any(len(word) > _LONG_WORD for word in re.split(r"[\s-]", str(text)))


def players_of(view: SessionView) -> list[str]:
    """Return the names of all players of a session, also departed ones, in the order of a hand's figures."""
    return list(dict.fromkeys(seat.name for seat in view.seats))


class PlayerMark(NamedTuple):
    """A player's mark: the number of a colour at the table, initials, an emoji, and a picture as HTML.

    Emoji and picture may be empty.
    """

    colour: int
    initials: str
    emoji: str = ""
    picture: str = ""

    @property
    def classes(self) -> str:
        """The CSS classes of the colour; a third player of one colour is styled as the first.

        >>> PlayerMark(15, "A").classes, PlayerMark(27, "A").classes
        ('seat-15', 'seat-27 seat-3')
        """
        styled = self.colour % (2 * MANY)
        return f"seat-{self.colour}" + (f" seat-{styled}" if styled != self.colour else "")


def marks_of(view: SessionView) -> dict[str, PlayerMark]:
    """Map the name of each player of a session to their mark."""
    seats, colours = {seat.name: seat for seat in view.seats}, view.colours
    return {
        name: PlayerMark(colours[name], letters, seat.emoji, image(seat.player_id, seat.picture))
        for (name, seat), letters in zip(seats.items(), initials([*seats]), strict=True)
    }


def image(player_id: int, digest: str, side: int = 192) -> str:
    """Return a player's picture as HTML, or an empty text without a digest of one.

    It is ``side`` pixels wide, or as wide as its place if that is narrower, as marks are.
    """
    if not digest:
        return ""
    address = url_for("web.picture", player_id=player_id, version=digest[:16])
    return Markup('<img src="{}" alt="" width="{}" height="{}">').format(address, side, side)


def sign(player: PlayerView) -> Markup:
    """Return the shape of a player's mark in its colour, with their picture or emoji, to precede the name."""
    face = image(player.id, player.picture, 24) or player.emoji
    shape = Markup('<i class="sign seat-{}"></i>').format(player.colour)
    face = Markup(" <span>{}</span>").format(face) if face else ""
    return Markup('<span class="signs" aria-hidden="true">{}{}</span>').format(shape, face)


def mark_points(number: int, x: float, y: float, radius: float) -> str:
    """Return the corners of a colour's mark around a point, for an SVG polygon."""
    corners = player_colour(number).corners
    places = ((x + radius * across, y - radius * up) for across, up in corners)
    return " ".join(f"{round(left, 1):g},{round(top, 1):g}" for left, top in places)


def initials(names: Sequence[str]) -> list[str]:
    """Return each name shortened to the first one to three letters that no other name begins with.

    Names that need more are cut to three letters.

    >>> initials(["Ann", "Bob", "Anton", "山田"]), initials(["Al", "Al 2"])
    (['Ann', 'B', 'Ant', '山'], ['Al', 'Al2'])
    """
    bare = ["".join(name.split()) for name in names]
    folded = [name.casefold() for name in bare]

    def mark(place: int) -> str:
        own = bare[place]
        rest = folded[:place] + folded[place + 1 :]
        for length in (1, 2, 3):
            start = own[:length]
            if not any(other.startswith(start.casefold()) for other in rest):
                return start
        return own[:3]

    return list(map(mark, range(len(bare))))


def standings_text(plot: Plot) -> str:
    """Return the standings as text, best first, for screen readers."""
    ranked = sorted(plot.lines, key=lambda line: -line.total)
    return reader().comma.join(f"{line.name} {change(line.total)}" for line in ranked)


def moved(line: HandLine, names: Sequence[str]) -> list[tuple[str, int]]:
    """Return a hand's gains and losses: bidder, partner, then the others by seat. Zeros are left out."""
    deltas = dict(zip(names, line.deltas, strict=True))
    side = [name for name in (line.bidder, line.partner) if name]
    order = [*side, *(name for name in names if name not in side)]
    return [(name, deltas[name]) for name in order if deltas[name]]


def side_of(verdict: Verdict) -> list[tuple[str, int]]:
    """Return the gains or losses of the bidder and partner, if there are any."""
    return [(name, verdict.deltas[name]) for name in (verdict.bidder, verdict.partner) if name]


def pots_of(verdict: Verdict) -> list[tuple[str, int]]:
    """Return the parts of the bidder's result that are the ante, and a pot won or matched.

    Parts of 0 are left out; without a bidder the list is empty.
    """
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
