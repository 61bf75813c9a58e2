"""The seats of a hand: dealer, active seats, idle seats and eldest hand."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.errors import Refused, Violation, refuse_any
from engine.record.seats import unknown_seat
from engine.words.sentences import say


class SeatingTable(NamedTuple):
    """The seats of one hand, with `active` and `idle` clockwise from the dealer's left."""

    players: tuple[str, ...]
    dealer: str
    active: tuple[str, ...]
    idle: tuple[str, ...]

    @property
    def lead(self) -> str:
        """Eldest hand: the first active seat clockwise from the dealer, which bids first."""
        return self.active[0]

    def opponents(self, bidder: str) -> tuple[str, ...]:
        """Return the other active seats, clockwise from the bidder."""
        return clockwise(self.active, bidder)[1:]


def clockwise(seats: tuple[str, ...], first: str) -> tuple[str, ...]:
    """Return the seats clockwise, beginning with one of them.

    >>> clockwise(("Ann", "Bob", "Cyd"), "Bob")
    ('Bob', 'Cyd', 'Ann')
    """
    at = seats.index(first)
    return seats[at:] + seats[:at]


def left_of(seats: tuple[str, ...], seat: str) -> str:
    """Return the next seat clockwise."""
    return seats[(seats.index(seat) + 1) % len(seats)]


@dataclass(frozen=True, slots=True)
class Seating:
    """Chooses the active seats of a hand: the first `count` after the dealer, unless a record names others.

    At a larger table the others sit out, the dealer ("king") among them (000; that a record may name other
    seats is decided in the rules sheet). Without a count all play (crazy-solo, 002), and a record that names
    active seats must name all.
    """

    count: int | None = None

    def table(
        self, players: tuple[str, ...], dealer: str, active: tuple[str, ...] | None
    ) -> SeatingTable:
        """Return the seats of a hand. Raises `Refused` for an unknown dealer or invalid active seats."""
        return _seat(players, dealer, active, self.count or len(players))


def _seat(
    players: tuple[str, ...], dealer: str, active: tuple[str, ...] | None, count: int
) -> SeatingTable:
    if dealer not in players:
        raise Refused([unknown_seat(dealer, players, "dealer")])
    order = clockwise(players, left_of(players, dealer))
    if active is None:
        return SeatingTable(players, dealer, order[:count], order[count:])
    refuse_any(unknown_seat(name, players, "active") for name in active if name not in players)
    if len(active) != count or len(set(active)) != count:
        message = say(
            "{n} different players are active in a hand; the record names {names:list}.",
            n=count,
            names=active or (say("nobody"),),
        )
        raise Refused([Violation("active-seats", message, {"field": "active"}, players)])
    return SeatingTable(
        players,
        dealer,
        tuple(seat for seat in order if seat in active),
        tuple(seat for seat in order if seat not in active),
    )
