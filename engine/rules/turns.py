"""Whose turn it is, hand after hand: who deals, leads, sits out and, in a blind round, is under.

From hand to hand the rules sheet decides: after a played hand the deal moves one seat left, after an
all-pass as the game says, and eldest hand leads. Of a blind round 002 decides: without a heart the same
dealer deals again, and at the third time in a row the player under is passed over.

Between hands the sources are silent, and this is what a table expects:

- The deal belongs to a player, not to a chair. Whoever is due to deal still is when somebody joins or leaves
  or seats change; who then sits on their left leads, a newcomer like anybody else.
- If they leave or sit out, whoever then sits on their left deals in their place, so that nobody deals twice
  and nobody is left out because another went. Back before the next hand, the deal is theirs again.
- In a blind round whoever leads is under, newcomers too; a player who sat out while it passed them
is not waited for.
  It ends when the lead comes to somebody who was under.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from engine.errors import Violation
from engine.record import PASS
from engine.record.parts import HEARTLESS, BlindRound
from engine.rules.seating import Seating, SeatingTable, left_of
from engine.rules.verdict import NextTurn
from engine.words.sentences import say

BLIND = "blind"
"""The bid of whoever is under and holds a heart."""

S = TypeVar("S", bound=Hashable)


class Turn(NamedTuple):
    """The next hand before it is dealt: who deals, leads and sits out, and the blind round it is part of."""

    seating: Seating
    table: SeatingTable
    blind: BlindRound | None = None

    @property
    def dealer(self) -> str:
        """Who deals."""
        return self.table.dealer

    @property
    def lead(self) -> str:
        """Who is on the lead."""
        return self.table.lead

    @property
    def under(self) -> str | None:
        """Who is under: in a blind round, whoever is on the lead."""
        return None if self.blind is None else self.lead

    def dealt_by(self, dealer: str) -> "Turn":
        """Let somebody else deal this hand, as the table says."""
        if dealer == self.table.dealer:
            return self
        table = self.seating.table(self.table.players, dealer, None)
        return self._replace(table=table, blind=_goes_on(self.blind, table.lead, self.lead))


def next_turn(
    seating: Seating,
    here: Sequence[str],
    players: tuple[str, ...],
    due: str,
    lead: str | None = None,
    blind: BlindRound | None = None,
) -> Turn:
    """Say whose turn it is at a table where `here` sit clockwise, of whom `players` are dealt in.

    `due` is who is due to deal. `lead` was to lead as the last hand was over, `blind` is the blind round
    as it then stood.
    """
    at = here.index(due) if due in here else 0
    dealer = next(seat for seat in (*here[at:], *here[:at]) if seat in players)
    table = seating.table(players, dealer, None)
    return Turn(seating, table, _goes_on(blind, table.lead, lead))


def current_holder(seat: S, successors: Mapping[S, S]) -> S:
    """Say who now has a player's turn: whoever sat on their left when they left, and so on.

    >>> current_holder("Bob", {"Ann": "Bob", "Bob": "Cyd", "Cyd": "Dee"})
    'Dee'
    """
    for _ in successors:
        seat = successors.get(seat, seat)
    return seat


def turn_after(
    seating: Seating,
    table: SeatingTable,
    bid: str | None,
    blind: BlindRound | None,
    *,
    moves_on_all_pass: bool,
) -> NextTurn:
    """Say who deals and leads once a hand is over that was won with `bid`, or passed by all."""
    stays = bid == PASS and not moves_on_all_pass if blind is None else _again(bid, blind)
    dealer = table.dealer if stays else left_of(table.players, table.dealer)
    return NextTurn(dealer, seating.table(table.players, dealer, None).lead)


def blind_after(lead: str, bid: str | None, blind: BlindRound | None) -> BlindRound | None:
    """Say how a blind round stands after a hand that `lead` led; `None`: none is being played.

    A hand that was bid otherwise is one in which the player under held no heart. A blind bid begins a
    round where none was declared before.
    """
    if blind is None and bid != BLIND:
        return None
    done, heartless = blind or BlindRound()
    if _again(bid, BlindRound(done, heartless)):
        return BlindRound(done, heartless + 1)
    return BlindRound((*done, lead))


def blind_problems(lead: str, blind: BlindRound) -> Iterator[Violation]:
    """Refuse a blind round that continues although the player on the lead has already been under."""
    if lead in blind.done:
        message = say(
            "{lead} has been under, so the blind round is over; leave blind_round out.", lead=lead
        )
        yield Violation("blind-round-over", message, {"field": "blind_round.done", "seat": lead})


def _again(bid: str | None, blind: BlindRound) -> bool:
    """Whether the same player is under again: no heart, and not for the third time in a row."""
    return bid != BLIND and blind.heartless + 1 < HEARTLESS


def _goes_on(blind: BlindRound | None, lead: str, due: str | None) -> BlindRound | None:
    """Say how a blind round stands where `lead` leads.

    It ends when it comes back to somebody who was under. Deals without a heart count for whoever had them.
    """
    if blind is None or lead in blind.done:
        return None
    return blind if lead == due else blind._replace(heartless=0)
