"""Head to head: what the players of a club paid each other over all hands that stand, in chips.

Read from one row a pair that is kept as hands are written; no hand is read.
"""

from dataclasses import dataclass

from sqlmodel import select

from ledger.access import Access
from ledger.db import Database
from ledger.models import Player, Versus


@dataclass(frozen=True, slots=True)
class Pair:
    """What one player paid another over all hands, and got from them; ``net`` is for ``player``."""

    player: str
    other: str
    got: int
    paid: int
    hands_got: int
    hands_paid: int

    @property
    def net(self) -> int:
        """What the player got of the other, all in all."""
        return self.got - self.paid


def head_to_head(db: Database, access: Access) -> list[Pair]:
    """Return what every two players of the club paid each other, by name; each pair from both sides."""
    with db.read(access) as session:
        names = {row.id: row.name for row in session.exec(select(Player))}
        rows = session.exec(select(Versus).where(Versus.hands > 0)).all()
    paid = {(row.payer_id, row.payee_id): row for row in rows}
    pairs = {*paid, *((payee, payer) for payer, payee in paid)}
    nothing = Versus(payer_id=0, payee_id=0)

    def pair(player: int, other: int) -> Pair:
        gave, got = paid.get((player, other), nothing), paid.get((other, player), nothing)
        return Pair(names[player], names[other], got.amount, gave.amount, got.hands, gave.hands)

    return sorted((pair(*each) for each in pairs), key=lambda each: (each.player, each.other))
