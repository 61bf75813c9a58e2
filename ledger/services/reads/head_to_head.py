"""Head to head: the chips that each two players of a club paid each other over all standing hands.

Read from one row per pair, which is updated as hands are recorded. Those of a period or a game are added up
from the payments of its hands.
"""

from collections import Counter
from typing import Annotated, Any, NamedTuple

from sqlalchemy import BindParameter
from sqlmodel import bindparam, col, or_, select

from ledger.books.hand_effects import payments
from ledger.database.kinds.states import HandState
from ledger.database.models import Hand, HandVersionTable, HeadToHead, PlaySession, Seat
from ledger.database.scope import Built, ScopedSession
from ledger.services.club import players
from ledger.services.reads import tallies
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter

# Columns are read instead of objects, as a large club has many pairs.
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


_Paid = dict[tuple[int, int], tuple[int, int]]
"""Maps payer and payee to the chips paid and the number of hands."""

_game: BindParameter[str] = bindparam("game")
_PAYMENTS: Built[tuple[Any, ...]] = Built(
    lambda *row: row,
    select(
        HandVersionTable.record["players"],
        HandVersionTable.verdict["transfers"],
        HandVersionTable.seat_ids,
    )
    .select_from(PlaySession)
    .join(Hand, col(Hand.session_id) == PlaySession.id)
    .join(HandVersionTable, col(HandVersionTable.hand_id) == Hand.id)
    .where(HandVersionTable.version == Hand.version, Hand.state == HandState.STANDING.value)
    .where(*tallies.IN_PERIOD)
    .where(or_(_game == "", HandVersionTable.record["game"].as_string() == _game)),
)
_SEATED: Built[tuple[int, int]] = Built(
    lambda *row: row,
    select(Seat.id, Seat.player_id)
    .join(PlaySession, col(PlaySession.id) == Seat.session_id)
    .where(*tallies.IN_PERIOD),
)


def head_to_head(session: ScopedSession, chosen: SessionFilter = EVERY_SESSION) -> list[Pair]:
    """Return every pair of players with payments, sorted by name, twice: once from either side.

    A filter limits them to the hands of a period and a game, and to one ``player`` of the pairs. Raises
    ``Invalid`` at ``player``.
    """
    names = {player.id: player.name for player in players.everyone(session)}
    only = players.by_name(session, chosen.player, "player").name if chosen.player else None
    if chosen.is_dated or chosen.game:
        paid = _paid_in(session, chosen)
    else:
        rows = session.exec(_PAID).all()
        paid = {(payer, payee): (amount, hands) for payer, payee, amount, hands in rows}
    pairs = []
    for player, other in {*paid, *((payee, payer) for payer, payee in paid)}:
        if only not in (None, names[player]):
            continue
        lost, hands_lost = paid.get((player, other), (0, 0))
        won, hands_won = paid.get((other, player), (0, 0))
        pairs.append(Pair(names[player], names[other], won, lost, hands_won, hands_lost))
    return sorted(pairs)


def _paid_in(session: ScopedSession, chosen: SessionFilter) -> _Paid:
    """Add up the payments of the hands of a period and a game."""
    period = tallies.days(chosen)
    player_of = dict(session.ask(_SEATED, **period))
    amounts: Counter[tuple[int, int]] = Counter()
    hands: Counter[tuple[int, int]] = Counter()
    for names, transfers, seat_ids in session.ask(_PAYMENTS, **period, game=chosen.game or ""):
        of_name = dict(zip(names, map(player_of.__getitem__, seat_ids), strict=True))
        paid = payments(transfers, of_name)
        amounts.update(paid)
        hands.update(paid.keys())
    return {pair: (amounts[pair], number) for pair, number in hands.items()}
