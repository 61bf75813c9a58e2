"""Head to head: what the players of a club paid each other over all hands that stand, in chips.

Read from one row per pair, which is kept up as hands are recorded; no hand is read.
"""

from typing import Annotated, NamedTuple

from sqlmodel import select

from ledger.database.models import HeadToHead, Player
from ledger.database.scope import ScopedSession

# A club of many has many pairs: columns are read, not rows as objects.
_NAMES = select(Player.id, Player.name)
_PAID = select(HeadToHead.payer_id, HeadToHead.payee_id, HeadToHead.amount, HeadToHead.hands).where(
    HeadToHead.hands > 0
)


class Pair(NamedTuple):
    """What one player paid another over all hands, and got from them; ``net`` is for ``player``."""

    player: str
    other: str
    got: Annotated[int, "What the player got from the other."]
    paid: Annotated[int, "What the player paid the other."]
    hands_got: Annotated[int, "In how many hands the player got something from the other."]
    hands_paid: int

    @property
    def net(self) -> int:
        """What the player got from the other, all in all."""
        return self.got - self.paid


def head_to_head(session: ScopedSession) -> list[Pair]:
    """Return what every two players of the club paid each other, by name; each pair from both sides."""
    names = dict(session.exec(_NAMES).all())
    rows = session.exec(_PAID).all()
    paid = {(payer, payee): (amount, hands) for payer, payee, amount, hands in rows}
    made = []
    for player, other in {*paid, *((payee, payer) for payer, payee in paid)}:
        gave, gave_in = paid.get((player, other), (0, 0))
        got, got_in = paid.get((other, player), (0, 0))
        made.append(Pair(names[player], names[other], got, gave, got_in, gave_in))
    return sorted(made)
