"""The evening to which a hand belongs: the header of a file of hands."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from engine.errors import Problems, Violation
from engine.words.sentences import later, say

LONGEST_TITLE = 500
"""The most characters of a club's name and a title."""

NUMBER = "number"
"""The key for the number of a hand; in the header of a file that of the first hand."""


class Arrival(NamedTuple):
    """A player who takes a seat: `hand` is the first hand with them.

    Their seat is on the left of the seat `after`, by default of the last one.
    """

    seat: str
    hand: int
    after: str | None = None


class Departure(NamedTuple):
    """A player who leaves: `hand` is the first one without them."""

    seat: str
    hand: int


class HandEvening(NamedTuple):
    """An evening: its club, title, day, the number of this hand, and the players.

    `seats` are those of the first hand, clockwise, and `seated` and `left` the later changes.
    """

    club: str | None = None
    title: str | None = None
    date: str | None = None
    number: int | None = None
    seats: tuple[str, ...] | None = None
    seated: tuple[Arrival, ...] | None = None
    left: tuple[Departure, ...] | None = None

    def players(self, problems: Problems) -> tuple[str, ...] | None:
        """Return the players of this hand, clockwise; `None` if seats or number are not stated.

        Arrivals and departures up to this hand are applied to the first hand's seats. A change that is not
        possible adds a violation to `problems` and is left out.
        """
        if self.seats is None or self.number is None:
            return None
        seats = list(self.seats)
        changes: chain[Arrival | Departure] = chain(self.left or (), self.seated or ())
        for change in sorted(changes, key=_hand_of):  # of one hand, the departures come first
            if change.hand <= self.number:
                _apply(change, seats, problems)
        return tuple(seats)


def _hand_of(change: Arrival | Departure) -> int:
    return change.hand


def _apply(change: Arrival | Departure, seats: list[str], problems: Problems) -> None:
    """Add or remove a player in the list `seats`; a change that is not possible adds a violation instead."""
    is_arrival, is_seated = isinstance(change, Arrival), change.seat in seats
    after = change.after if isinstance(change, Arrival) else None
    template = None
    if is_arrival and is_seated:
        template = _SEATED
    elif not is_arrival and not is_seated:
        template = _NOT_SEATED
    elif after is not None and after not in seats:
        template = _NOBODY_THERE
    if template is not None:
        message = say(template, name=change.seat, n=change.hand, seats=tuple(seats), after=after)
        field = "evening.seated" if is_arrival else "evening.left"
        problems.append(Violation("evening-seats", message, {"field": field, "seat": change.seat}))
    elif is_arrival:
        seats.insert(len(seats) if after is None else seats.index(after) + 1, change.seat)
    else:
        seats.remove(change.seat)


_SEATED = later("{name} takes a seat at hand {n}, but has one.")
_NOT_SEATED = later("{name} leaves at hand {n}, but has no seat then.")
_NOBODY_THERE = later(
    "{name} takes a seat after {after} at hand {n}, who has none; seated are {seats:list}."
)


def evening_problems(evening: HandEvening, players: tuple[str, ...]) -> Iterator[Violation]:
    """Yield violations for impossible changes of seats, or if others than the hand's players are seated.

    The hand may name the players from any seat on. Without seats or a number nothing is checked.
    """
    problems: Problems = []
    seats = evening.players(problems)
    yield from problems
    if problems or seats is None or seats == players:
        return
    # The seats of a round table may be named from any of them on.
    turns = {seats[at:] + seats[:at] for at in range(len(seats))}
    if players not in turns:
        message = say(
            "Hand {n} of the evening is played by {seats:and}, but the hand names {players:and}.",
            n=evening.number,
            seats=seats,
            players=players,
        )
        yield Violation("evening-seats", message, {"field": "players"}, seats)
