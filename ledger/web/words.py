"""How numbers, suits, cards and times are written on the pages."""

from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from hashlib import sha256

from flask import Flask, url_for
from markupsafe import Markup

from engine.cards import Card, Suit
from engine.verdict import Verdict
from ledger.paths import STATIC
from ledger.services.summary import HandLine

MINUS = "\u2212"
_RED = {Suit.HEARTS, Suit.DIAMONDS}
_DONE = {
    "passcode": "The passcode is changed. Every other device has to enter the new one.",
    "link": "There is a new viewer link; the old one opens nothing any more.",
    "revoked": "The token is taken back.",
    "rules": "Changed. The next hand is played by these rules; hands already down keep theirs.",
    "closed": "The session is closed.",
    "reopened": "The session is open again.",
    "player": "Entered.",
    "renamed": "Renamed.",
}


def init_app(app: Flask) -> None:
    """Teach the templates these words."""
    app.jinja_env.filters.update(
        number=number,
        change=change,
        suit=suit,
        card=card,
        day=day,
        moment=moment,
    )
    app.jinja_env.globals.update(
        asset=asset, done=_DONE.get, moved=moved, side_of=side_of, card_text=card_text
    )


def number(value: int) -> str:
    """Write an amount with a real minus sign.

    >>> number(-1200), number(0)
    ('−1,200', '0')
    """
    return f"{value:,}".replace("-", MINUS)


def change(value: int) -> str:
    """Write what an amount changes by, its sign always there; no change is a plain 0.

    >>> change(120), change(-40), change(0)
    ('+120', '−40', '0')
    """
    return f"{value:+,}".replace("-", MINUS) if value else "0"


def suit(letter: str) -> Markup:
    """Show a suit: its sign in its colour, its word for those who don't see it."""
    found = Suit(letter)
    return _sign(found, f"{found.symbol}\ufe0e", found.word)


def card(code: str) -> Markup:
    """Show a card as people write it, 10♦ for TD."""
    found = Card.parse(code)
    return _sign(found.suit, f"{card_text(found)}\ufe0e", "")


def card_text(found: Card) -> str:
    """Write a card in plain text.

    >>> card_text(Card.parse("TD"))
    '10♦'
    """
    return f"{'10' if found.rank == 'T' else found.rank}{found.suit.symbol}"


def _sign(found: Suit, text: str, word: str) -> Markup:
    colour = "red" if found in _RED else "black"
    title = Markup(' title="{}"').format(word) if word else ""
    return Markup('<span class="suit {}"{}>{}</span>').format(colour, title, text)


def day(value: date) -> str:
    """Write a day, as on a letter.

    >>> day(date(2025, 11, 20))
    'Thu 20 November 2025'
    """
    return f"{value:%a} {value.day} {value:%B %Y}"


def moment(value: datetime) -> str:
    """Write an instant by the clock on the wall where the service runs."""
    local = value.astimezone()
    return f"{local.day} {local:%b %Y, %H:%M}"


def moved(line: HandLine, names: Sequence[str]) -> list[tuple[str, int]]:
    """Return who gained and who lost in a hand: bidder, partner, then the others by seat."""
    deltas = dict(zip(names, line.deltas, strict=True))
    side = [name for name in (line.bidder, line.partner) if name]
    order = [*side, *(name for name in names if name not in side)]
    return [(name, deltas[name]) for name in order if deltas[name]]


def side_of(verdict: Verdict) -> list[tuple[str, int]]:
    """Return what the bidding side gains or loses."""
    return [(name, verdict.deltas[name]) for name in (verdict.bidder, verdict.partner) if name]


@lru_cache
def _print(name: str) -> str:
    return sha256((STATIC / name).read_bytes()).hexdigest()[:12]


def asset(name: str) -> str:
    """Return the address of a static file; it changes with the file, so no device keeps an old one."""
    return url_for("static", filename=name, v=_print(name))
