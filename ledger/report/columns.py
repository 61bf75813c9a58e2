"""The columns of the table of hands: which there are, how wide, and what stands in them."""

from collections.abc import Callable
from dataclasses import dataclass

from ledger.report.figures import SUITS, card, plain, signed
from ledger.report.text import line
from ledger.services.summary import HandLine, SessionSummary


@dataclass(frozen=True, slots=True)
class Column:
    """A column of words about a hand; `most` is the widest it may get, in ems."""

    head: str
    words: Callable[[HandLine], str]
    most: float
    align: float = 0.0


def _passed_out(hand: HandLine) -> bool:
    """Tell whether everybody passed."""
    return hand.bidder is None


COLUMNS = (
    Column("No.", lambda hand: f"{hand.number}{'*' if hand.is_changed else ''}", 5, 1),
    Column("Dealer", lambda hand: hand.dealer, 7),
    Column("Bidder", lambda hand: hand.bidder or "", 9),
    Column("Bid", lambda hand: hand.bid_title, 10),
    Column("Trump", lambda hand: SUITS.get(hand.trump or "", ""), 3, 0.5),
    Column("Called", lambda hand: card(hand.called) if hand.called else "", 3.2, 0.5),
    Column("Partner", lambda hand: "alone" if hand.alone else hand.partner or "", 9),
    Column("Points", lambda hand: "" if hand.points is None else plain(hand.points), 4, 1),
    Column("Outcome", lambda hand: "" if _passed_out(hand) else hand.outcome, 5),
)

_OPTIONAL = {"Trump", "Called", "Partner", "Points"}
_GAP = 0.9
"""Ems between columns."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A column with its place on the page, in points."""

    column: Column
    left: float
    width: float

    @property
    def anchor(self) -> float:
        """Return the x its words are aligned on."""
        return self.left + self.width * self.column.align


@dataclass(frozen=True, slots=True)
class Grid:
    """The table's measures on the page: `size` of type, columns, and each seat's right edge."""

    size: float
    columns: tuple[Placed, ...]
    seats: tuple[float, ...]
    seat_width: float
    left: float
    right: float

    def at(self, head: str) -> Placed:
        """Return the column under a head."""
        return next(each for each in self.columns if each.column.head == head)


def grid(summary: SessionSummary, left: float, right: float) -> Grid:
    """Fit the columns between two edges, in type as large as they allow (7.6 to 4.5 points).

    Words may be cut short; figures never are, so they decide the size of type.
    """
    used = [
        column
        for column in COLUMNS
        if column.head not in _OPTIONAL or any(map(column.words, summary.hands))
    ]
    wanted = [
        min(
            max(line(words).width for words in {column.head, *map(column.words, summary.hands)}),
            column.most,
        )
        for column in used
    ]
    figure = _widest_figure(summary)
    seats = len(summary.seats)
    size = 7.6
    while True:
        room = (right - left) / size - len(used) * _GAP - seats * (max(figure, 2.2) + _GAP)
        short = sum(wanted) - room
        loose = sum(_give(column, width) for column, width in zip(used, wanted, strict=True))
        if short <= loose or size <= 4.5:
            break
        size -= 0.2
    share = min(max(short, 0) / loose, 1) if loose else 0.0
    widths = [
        width - share * _give(column, width) for column, width in zip(used, wanted, strict=True)
    ]
    # Room left over goes to the seats, up to what their names want.
    names = max(line(seat, bold=True).width for seat in summary.seats)
    spare = (right - left) / size - sum(widths) - len(used) * _GAP
    seat_width = min(spare / seats - _GAP, max(names, figure, 4.5))
    over = (spare / seats - _GAP - seat_width) * seats / (len(used) + seats)
    columns, at = [], left
    for column, width in zip(used, widths, strict=True):
        columns.append(Placed(column, at, width * size))
        at += (width + _GAP + over) * size
    step = (seat_width + _GAP + over) * size
    edges = tuple(right - (seats - 1 - seat) * step for seat in range(seats))
    return Grid(size, tuple(columns), edges, (seat_width + over) * size, left, right)


def _give(column: Column, width: float) -> float:
    """Return the ems a column can lose before its words get hard to tell apart."""
    least = {"Dealer": 3.2, "Bidder": 4.0, "Partner": 4.0, "Bid": 5.0}.get(column.head, width)
    return max(width - least, 0.0)


def _widest_figure(summary: SessionSummary) -> float:
    """Return the ems of the widest payout or total."""
    figures = {signed(delta) for hand in summary.hands for delta in hand.deltas}
    figures |= {signed(total) for total in totals(summary)}
    figures |= {signed(amount) for each in summary.beside for amount in each.amounts}
    figures |= {signed(standing) for standing in standings(summary)}
    figures |= {
        signed(delta) for hand in summary.hands for old in hand.previous for delta in old.deltas
    }
    return max((line(each, bold=True).width for each in figures), default=1.0)


def totals(summary: SessionSummary) -> list[int]:
    """Return what each seat won or lost over the hands that stand."""
    standing = [hand.deltas for hand in summary.hands if hand.state == "standing"]
    return [sum(deltas[seat] for deltas in standing) for seat in range(len(summary.seats))]


def standings(summary: SessionSummary) -> list[int]:
    """Return what each seat won or lost in all: over the hands that stand, and besides them."""
    counted = [each.amounts for each in summary.beside if each.counts]
    return [
        total + sum(amounts[seat] for amounts in counted)
        for seat, total in enumerate(totals(summary))
    ]
