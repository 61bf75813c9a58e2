"""Head to head: the chips that each two players of a club paid each other over all standing hands.

Read from one row per pair, which is updated as hands are recorded.
"""

from typing import Annotated, NamedTuple

from sqlmodel import select

from ledger.database.models import HeadToHead, Player
from ledger.database.scope import ScopedSession

# Columns are read instead of objects, as a large club has many pairs.
_NAMES = select(Player.id, Player.name)
_PAID = select(HeadToHead.payer_id, HeadToHead.payee_id, HeadToHead.amount, HeadToHead.hands).where(
    HeadToHead.hands > 0
)


class Pair(NamedTuple):
    """The chips that a player paid another over all hands and got from them."""

    player: str
    other: str
    got: Annotated[int, "The chips the player got from the other."]
    paid: Annotated[int, "The chips the player paid the other."]
    hands_got: Annotated[int, "The number of hands in which the player got chips from the other."]
    hands_paid: int

    @property
    def net(self) -> int:
        """What the player got from the other, all in all."""
        return self.got - self.paid


def head_to_head(session: ScopedSession) -> list[Pair]:
    """Return every pair of players with payments, sorted by name, twice: once from either side."""
    names = dict(session.exec(_NAMES).all())
    rows = session.exec(_PAID).all()
    paid = {(payer, payee): (amount, hands) for payer, payee, amount, hands in rows}
    pairs = []
    for player, other in {*paid, *((payee, payer) for payer, payee in paid)}:
        lost, hands_lost = paid.get((player, other), (0, 0))
        won, hands_won = paid.get((other, player), (0, 0))
        pairs.append(Pair(names[player], names[other], won, lost, hands_won, hands_lost))
    return sorted(pairs)
