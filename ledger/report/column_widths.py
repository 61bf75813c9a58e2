"""The columns of the table of hands: content, colours and widths."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from reportlab.lib.colors import Color

from engine.cards.cards import Card, Suit
from engine.record.results import COUNTED
from engine.words.sentences import say, word
from ledger.report.figures import signed
from ledger.report.paper import FELT, GREY, INK, RED
from ledger.report.text import line
from ledger.services.reads.summary import HandLine, SessionSummary
from ledger.words.numbers import card, number
from ledger.words.translation import engine_sentence, translate


@dataclass(frozen=True, slots=True)
class Column:
    """A column of text about a hand. ``most`` and ``least`` limit its width, in ems.

    ``suit`` returns a suit if it should colour the cell (red for hearts and diamonds); other cells have the
    colour ``ink``. An ``always`` column is shown even if it is empty.
    """

    head: str
    words: Callable[[HandLine], str]
    most: float
    align: float = 0.0
    least: float | None = None
    ink: Color = INK
    suit: Callable[[HandLine], str | None] = lambda _: None
    always: bool = False
    is_number: bool = False

    def color(self, hand: HandLine) -> Color:
        """Return the colour of a hand's cell."""
        suit = self.suit(hand)
        return RED if suit and Suit(suit).is_red else self.ink


def _count(name: str, hand: HandLine) -> str:
    """Return the value of a key of a hand's result as text; empty if the hand doesn't have it."""
    value = hand.counts.get(name)
    return "" if value is None else number(value)


_NAME = 10.5
"""The widest name, in ems, that does not reduce the type size; about "Maximiliane-Henriette"."""

_COUNTED = {"point": say("Points"), "trick": say("Tricks")}

_GAP = 0.9
"""Ems between columns."""
_READABLE = 6.4
"""The smallest readable type, in points: words are cut rather than set smaller."""
_SHORT_NAME = 4.0
"""The ems that a seat's name gets before the columns of text."""


def columns(bidder: str, *, mixed: bool = False) -> tuple[Column, ...]:
    """Return the columns of a game's hands; ``bidder`` is its word for the player of the contract.

    An evening of ``mixed`` games has a column that names them.
    """
    game = Column(say("Game"), lambda hand: translate(word(hand.game_title)), 10, least=4.0)
    return (
        Column(
            say("No."),
            lambda hand: f"{hand.number}{'*' if hand.is_changed else ''}",
            5,
            1,
            ink=GREY,
            always=True,
            is_number=True,
        ),
        *([game] if mixed else []),
        Column(say("Dealer"), lambda hand: hand.dealer, _NAME, least=3.2, ink=GREY, always=True),
        Column(
            engine_sentence(bidder, capital=True),
            lambda hand: hand.bidder or "",
            _NAME,
            least=4.0,
            ink=FELT,
            always=True,
        ),
        Column(
            say("Bid"), lambda hand: translate(word(hand.bid_title)), 10, least=5.0, always=True
        ),
        Column(
            say("Trump"),
            lambda hand: Suit(hand.trump).symbol if hand.trump else "",
            3,
            0.5,
            suit=lambda hand: hand.trump,
        ),
        Column(
            say("Called"),
            lambda hand: card(Card.parse(hand.called)) if hand.called else "",
            3.2,
            0.5,
            suit=lambda hand: hand.called and hand.called[-1],
        ),
        Column(
            say("Partner"),
            lambda hand: translate(say("alone")) if hand.alone else hand.partner or "",
            _NAME,
            least=4.0,
        ),
        *(Column(_COUNTED[one], partial(_count, name), 4, 1) for name, one in COUNTED.items()),
        Column(
            say("Outcome"),
            lambda hand: translate(word(hand.outcome)) if hand.bidder else "",
            7,
            always=True,
        ),
    )


@dataclass(frozen=True, slots=True)
class Placed:
    """A column with its position on the page, in points."""

    column: Column
    left: float
    width: float

    @property
    def anchor(self) -> float:
        """The x that its text is aligned to."""
        return self.left + self.width * self.column.align


@dataclass(frozen=True, slots=True)
class Grid:
    """The table's layout: type size, columns, and the right edge and width of each seat's column."""

    size: float
    columns: tuple[Placed, ...]
    seats: tuple[float, ...]
    seat_widths: tuple[float, ...]
    left: float
    right: float


def grid(summary: SessionSummary, left: float, right: float) -> Grid:
    """Fit the columns between two edges, in the largest possible type (7.6 to 4.5 points).

    The type shrinks until it is hardly readable, then text is cut, and only then does it shrink further;
    figures are never cut. A seat's column fits its own figures and a short name, so one large loan does not
    narrow the others. Remaining space goes evenly to the words of the seats' names until each is complete,
    then to whole names, to cut text, and between the columns.
    """
    mixed = len({hand.game_title for hand in summary.hands}) > 1
    used = [
        column
        for column in columns(summary.bidder, mixed=mixed)
        if column.always or any(map(column.words, summary.hands))
    ]
    widest = [
        max(
            line(words).width
            for words in {translate(column.head), *map(column.words, summary.hands)}
        )
        for column in used
    ]
    desired = [min(width, column.most) for column, width in zip(used, widest, strict=True)]
    least = _least_widths(summary)
    size = 7.6
    while True:
        room = (right - left) / size - len(used) * _GAP - sum(width + _GAP for width in least)
        short = sum(desired) - room
        loose = sum(_give(column, width) for column, width in zip(used, desired, strict=True))
        if short <= (loose if size <= _READABLE else 0) or size <= 4.5:
            break
        size -= 0.2
    share = min(max(short, 0) / loose, 1) if loose else 0.0
    widths = [
        width - share * _give(column, width) for column, width in zip(used, desired, strict=True)
    ]
    room += sum(least) - sum(widths)
    seats = least
    for parts in (
        [seat.split() or [""] for seat in summary.seats],
        [[seat] for seat in summary.seats],
    ):
        names = [max(line(part, bold=True).width for part in each) for each in parts]
        most = [max(*both, 4.5) for both in zip(names, seats, strict=True)]
        seats = _filled(seats, most, room)
    spare = max(room - sum(seats), 0.0)
    cut = [full - width for full, width in zip(widest, widths, strict=True)]
    share = min(spare / sum(cut), 1) if any(cut) else 0.0
    widths = [width + share * more for width, more in zip(widths, cut, strict=True)]
    over = (spare - share * sum(cut)) / (len(used) + len(seats))
    placed, at = [], left
    for column, width in zip(used, widths, strict=True):
        placed.append(Placed(column, at, width * size))
        at += (width + _GAP + over) * size
    edges = [right]
    for width in reversed(seats[1:]):
        edges.append(edges[-1] - (width + _GAP + over) * size)
    room_for_names = tuple((width + over) * size for width in seats)
    return Grid(size, tuple(placed), tuple(reversed(edges)), room_for_names, left, right)


def _filled(least: Sequence[float], most: Sequence[float], room: float) -> list[float]:
    """Return widths between ``least`` and ``most`` that fill the room as evenly as possible.

    >>> _filled([2, 2, 6], [5, 5, 6], 12), _filled([2, 2, 6], [3, 9, 9], 17), _filled([2, 2], [4, 5], 20)
    ([3.0, 3.0, 6], [3, 7.0, 7.0], [4, 5])
    """
    widths, rising = list(least), set(range(len(least)))
    while rising:
        fixed_total = sum(widths[index] for index in range(len(widths)) if index not in rising)
        level = (room - fixed_total) / len(rising)
        for index in rising:
            widths[index] = min(max(level, least[index]), most[index])
        over = sum(widths) - room
        # A width at its minimum takes room from the others; one at its maximum leaves room for them.
        fixed = {index for index in rising if over * (widths[index] - level) > 0}
        if not fixed:
            break
        rising -= fixed
    return widths


def _give(column: Column, width: float) -> float:
    """Return the ems that a column can lose before its text gets ambiguous."""
    return 0.0 if column.least is None else max(width - column.least, 0.0)


def _least_widths(summary: SessionSummary) -> list[float]:
    """Return each seat's minimum width in ems: its widest figure, or a short name."""
    rows: list[Sequence[int]] = [*(totals(summary, unit) for unit in summary.units)]
    rows.append(standings(summary))
    rows += [entry.amounts for entry in summary.other_entries]
    for hand in summary.hands:
        rows += [hand.deltas, *(old.deltas for old in hand.previous)]
    return [
        max(
            min(line(name, bold=True).width, _SHORT_NAME),
            *(line(words, bold=True).width for words in {signed(row[seat]) for row in rows}),
        )
        for seat, name in enumerate(summary.seats)
    ]


def totals(summary: SessionSummary, unit: str) -> list[int]:
    """Return each seat's total over the valid hands played in ``unit``."""
    standing = [
        hand.deltas for hand in summary.hands if hand.state == "standing" and hand.unit == unit
    ]
    return [sum(deltas[seat] for deltas in standing) for seat in range(len(summary.seats))]


def standings(summary: SessionSummary) -> list[int]:
    """Return each seat's total over valid hands in the session's unit and the other entries that count."""
    counted = [entry.amounts for entry in summary.other_entries if entry.counts]
    return [
        total + sum(amounts[seat] for amounts in counted)
        for seat, total in enumerate(totals(summary, summary.unit))
    ]
