"""The seats of a hand, and the turn of the next: dealer, lead, idle seats and player under.

The rules sheet decides the order: after a played hand the deal moves one seat left, after an all-pass the
game decides, and eldest hand leads. In a blind round (002) the same dealer deals again if the player under
has no heart; after the third such deal in a row the player is passed over.

The sources do not cover changes between hands. These rules are what a table expects:

- The deal belongs to a player, not to a chair. A player stays the next dealer when others join, leave or
  change seats; their new left neighbour leads, also a newcomer.
- If the next dealer leaves or sits out, the left neighbour deals instead, so that nobody deals twice or is
  skipped. A player who returns before the next hand gets the deal back.
- In a blind round the player on the lead is under, also a newcomer. The round does not wait for players who
  sat out. It ends when a player leads who has been under.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from engine.errors import Refused, Violation, refuse_any
from engine.record.parts import HEARTLESS, BlindRound
from engine.record.seats import unknown_seat
from engine.words.sentences import say

BLIND = "blind"
"""The bid of the player under, who must hold a heart."""

S = TypeVar("S", bound=Hashable)


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
        """Return the other active seats, also the partner, clockwise from the bidder's left."""
        return clockwise(self.active, bidder)[1:]


def clockwise(seats: tuple[str, ...], first: str) -> tuple[str, ...]:
    """Return all the seats clockwise, beginning with `first`. Raises `ValueError` if it is not one of them.

    >>> clockwise(("Ann", "Bob", "Cyd"), "Bob")
    ('Bob', 'Cyd', 'Ann')
    """
    at = seats.index(first)
    return seats[at:] + seats[:at]


def left_of(seats: tuple[str, ...], seat: str) -> str:
    """Return the next seat clockwise; after the last of the seats, the first."""
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
        """Return the seats of a hand; without `active` the first ones left of the dealer are active.

        Raises `Refused` for a dealer without a seat, and for active seats that are unknown, repeated, or not
        as many as play.
        """
        if dealer not in players:
            raise Refused([unknown_seat(dealer, players, "dealer")])
        count = self.count or len(players)
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


class Turn(NamedTuple):
    """The seats of the next hand before the deal, and the blind round that it belongs to."""

    seating: Seating
    table: SeatingTable
    blind: BlindRound | None = None

    @property
    def dealer(self) -> str:
        """The seat that deals the next hand."""
        return self.table.dealer

    @property
    def lead(self) -> str:
        """The first active seat clockwise from the dealer, which leads."""
        return self.table.lead

    @property
    def under(self) -> str | None:
        """The player under: the one on the lead in a blind round; `None` outside of one."""
        return None if self.blind is None else self.lead

    def dealt_by(self, dealer: str) -> "Turn":
        """Return the turn with another dealer, chosen by the table; the lead and active seats follow.

        A blind round then ends if the new lead has been under; otherwise, with a new lead, its count of deals
        without a heart restarts at 0. With the same dealer the turn is returned unchanged.
        """
        if dealer == self.table.dealer:
            return self
        table = self.seating.table(self.table.players, dealer, None)
        return self._replace(table=table, blind=_continued(self.blind, table.lead, self.lead))


def next_turn(
    seating: Seating,
    here: Sequence[str],
    players: tuple[str, ...],
    due: str,
    lead: str | None = None,
    blind: BlindRound | None = None,
) -> Turn:
    """Return the turn of the next hand.

    The first player clockwise from `due` deals; if `due` has left, from the first seat. The blind round ends
    if the player on the lead has been under, and its count of deals without a heart restarts at 0 if the lead
    is not the `lead` expected.

    Args:
        seating: The number of active seats.
        here: Everyone at the table, clockwise.
        players: Those who are dealt in.
        due: The player whose deal it is.
        lead: The player who was to lead after the last hand.
        blind: The blind round after the last hand.
    """
    at = here.index(due) if due in here else 0
    dealer = next(seat for seat in (*here[at:], *here[:at]) if seat in players)
    table = seating.table(players, dealer, None)
    return Turn(seating, table, _continued(blind, table.lead, lead))


def current_holder(seat: S, successors: Mapping[S, S]) -> S:
    """Return the player who now has a seat's turn; `successors` has the left neighbour of each who left.

    Successors who left, too, are followed; a seat that did not leave is returned unchanged.

    >>> current_holder("Bob", {"Ann": "Bob", "Bob": "Cyd", "Cyd": "Dee"})
    'Dee'
    """
    for _ in successors:
        seat = successors.get(seat, seat)
    return seat


def blind_after(lead: str, bid: str | None, blind: BlindRound | None) -> BlindRound | None:
    """Return the blind round after a hand that `lead` led with this bid; `None` if none is being played.

    A blind bid begins a round. In a round, no blind bid means that `lead` had no heart: they are under again,
    until such deals in a row reach `HEARTLESS`. Otherwise `lead` is added to those who have been under.
    """
    if blind is None and bid != BLIND:
        return None
    finished, heartless = blind or BlindRound()
    if is_repeated(bid, BlindRound(finished, heartless)):
        return BlindRound(finished, heartless + 1)
    return BlindRound((*finished, lead))


def blind_problems(lead: str, blind: BlindRound) -> Iterator[Violation]:
    """Yield a violation if the player on the lead of a blind round has already been under."""
    if lead in blind.done:
        message = say(
            "{lead} has been under, so the blind round is over; leave blind_round out.", lead=lead
        )
        yield Violation("blind-round-over", message, {"field": "blind_round.done", "seat": lead})


def is_repeated(bid: str | None, blind: BlindRound) -> bool:
    """Return whether the player under is under again after a hand of a blind round with this bid.

    So it is after any bid but `blind`, as they held no heart, unless it was deal number `HEARTLESS` in a row.
    """
    return bid != BLIND and blind.heartless + 1 < HEARTLESS


def _continued(blind: BlindRound | None, lead: str, due: str | None) -> BlindRound | None:
    """Return the blind round of a hand that `lead` leads; `None` if none is being played.

    The round is over if that player has been under already. Unless `lead` was `due` to lead, the count of
    deals without a heart restarts at 0, as they were another player's.
    """
    if blind is None or lead in blind.done:
        return None
    return blind if lead == due else blind._replace(heartless=0)
