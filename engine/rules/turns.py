"""Whose turn it is, hand after hand: who deals, leads, sits out and, in a blind round, is under.

The lead stays with whoever has it when somebody comes or goes, and whoever then sits to the right of
the lead deals: nobody loses a lead because another left, and who sits down there deals first. If the
lead leaves, it goes to the left. The sources are silent on comings and goings; that is our reading.
"""

from typing import NamedTuple, Self

from engine.errors import Refused, refuse_any, unknown_seat
from engine.reasoning.verdict import Verdict
from engine.record import HandRecord
from engine.record.seats import table_problems
from engine.rules.seating import Seating, Table, clockwise, left_of

BLIND = "blind"
"""The bid of whoever is under and holds a heart."""

HEARTLESS = 3
"""So many deals in a row without a heart, and the player under is passed over (002)."""


class BlindRound(NamedTuple):
    """A round in which each in turn must play with hearts as trumps (002).

    `waiting` are those still to be under, clockwise; the first of them is under now, and has had
    `heartless` deals in a row without a heart.
    """

    waiting: tuple[str, ...]
    heartless: int = 0

    @property
    def under(self) -> str:
        """Who must be the solo player if they hold a heart."""
        return self.waiting[0]


class Turn(NamedTuple):
    """The table before a hand is dealt. `players` sit clockwise; `lead` is on the dealer's left."""

    seating: Seating
    players: tuple[str, ...]
    lead: str
    blind: BlindRound | None = None

    @classmethod
    def begin(cls, seating: Seating, players: tuple[str, ...], dealer: str) -> Self:
        """Sit down for the first hand; `Refused` when these names cannot sit at a table."""
        refuse_any(table_problems(players))
        if dealer not in players:
            raise Refused([unknown_seat(dealer, players, "dealer")])
        return cls(seating, players, left_of(players, dealer))

    @property
    def dealer(self) -> str:
        """Who deals: the seat to the right of the lead."""
        return clockwise(self.players, self.lead)[-1]

    @property
    def table(self) -> Table:
        """The seats of the next hand, the game's own choice of active ones."""
        return self.seating.table(self.players, self.dealer, None)

    @property
    def sits_out(self) -> tuple[str, ...]:
        """Who sits the next hand out, the king among them."""
        return self.table.idle

    @property
    def under(self) -> str | None:
        """Who is under in a blind round."""
        return self.blind and self.blind.under

    def declare_blind(self) -> "Turn":
        """Begin a blind round, before anybody looks: whoever is on the lead is under first.

        While one is being played, declaring it again changes nothing.
        """
        if self.blind is not None:
            return self
        return self._replace(blind=BlindRound(clockwise(self.players, self.lead)))

    def after(self, record: HandRecord, verdict: Verdict) -> "Turn":
        """Move on after a hand, played or thrown in.

        In a blind round a hand that was bid otherwise is one in which the player under held no heart:
        then the same dealer deals again and the same player is under, until the third in a row passes
        them over and the deal moves left. It ends when all have been under or were passed over. A
        blind bid outside such a round begins one.
        """
        contract = record.contract
        went_under = contract is not None and contract.bid == BLIND
        if self.blind is None:
            if went_under:
                return self.declare_blind().after(record, verdict)
            return self._replace(lead=verdict.next.lead)
        waiting, heartless = self.blind
        if not went_under and heartless + 1 < HEARTLESS:
            return self._replace(blind=BlindRound(waiting, heartless + 1))
        rest = waiting[1:]
        following = left_of(self.players, self.lead)
        return self._replace(lead=following, blind=BlindRound(rest) if rest else None)

    def join(self, name: str, beside: str) -> "Turn":
        """Seat somebody on the left of a player; `Refused` where they cannot sit there.

        In a blind round they will be under, too, if the player to their right is still to be.
        """
        players = _after(self.players, beside, name)
        if beside not in self.players:
            raise Refused([unknown_seat(beside, self.players, "players")])
        refuse_any(table_problems(players))
        blind = self.blind
        if blind is not None and beside in blind.waiting:
            blind = BlindRound(_after(blind.waiting, beside, name), blind.heartless)
        return self._replace(players=players, blind=blind)

    def leave(self, name: str) -> "Turn":
        """Let somebody go; `Refused` when they have no seat, or too few would be left."""
        if name not in self.players:
            raise Refused([unknown_seat(name, self.players, "players")])
        players = _without(self.players, name)
        refuse_any(table_problems(players))
        lead = left_of(self.players, name) if name == self.lead else self.lead
        blind = self.blind
        if blind is not None and name in blind.waiting:
            waiting = _without(blind.waiting, name)
            heartless = 0 if name == blind.under else blind.heartless
            blind = BlindRound(waiting, heartless) if waiting else None
        return self._replace(players=players, lead=lead, blind=blind)


def _after(seats: tuple[str, ...], beside: str, name: str) -> tuple[str, ...]:
    return tuple(seat for each in seats for seat in ((each, name) if each == beside else (each,)))


def _without(seats: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(seat for seat in seats if seat != name)
