"""Chips that are worth money and not cashed in yet: played at a rate.

So they are while an evening goes on; so they stay if it is closed without cashing them in, or a hand is
corrected after that. Nobody's money says anything of them: whatever shows who owes whom names the sessions
that hold any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Annotated

from sqlmodel import col, func, select

from ledger.database.models import Account, Player, PlaySession, Seat, SessionState
from ledger.database.models.play import MAY_HOLD_CHIPS, UNPAID_CHIPS
from ledger.database.scope import ScopedSession
from ledger.services.money.till import Unfinished

_UNPAID = func.sum(UNPAID_CHIPS)


@dataclass(frozen=True, slots=True)
class Winnings:
    """What a player won of such chips or, negative, lost."""

    player: str
    chips: Annotated[int, "Negative: they lost them."]


@dataclass(frozen=True, slots=True)
class Unconverted:
    """A session that holds such chips, and whose they are. If closed, reopen it first."""

    id: int
    title: str
    state: Annotated[str, "If closed, reopen it first.", SessionState]
    players: Annotated[tuple[Winnings, ...], "Whose chips they are."]


def sessions(
    session: ScopedSession, besides: Sequence[Unfinished] = (), *, player_id: int | None = None
) -> tuple[Unconverted, ...]:
    """Return the club's sessions that hold such chips, oldest first, but those named ``besides`` it.

    Of ``player_id`` alone, where one is given. The words of the index stand in the statement itself: only so
    a database sees that it will do.
    """
    rows = session.exec(
        select(PlaySession, Player, _UNPAID)
        .join(Seat, col(Seat.session_id) == PlaySession.id)
        .join(Account, col(Account.seat_id) == Seat.id)
        .join(Player, col(Player.id) == Seat.player_id)
        .where(col(PlaySession.id).in_(select(PlaySession.id).where(MAY_HOLD_CHIPS)))
        .group_by(col(PlaySession.id), col(Player.id))
        .having(_UNPAID != 0)
        .order_by(col(PlaySession.id), func.min(Seat.position), col(Player.id))
    ).all()
    named = {each.id for each in besides}
    wanted = [
        (row, Winnings(player.name, int(chips)))
        for row, player, chips in rows
        if row.id not in named and player_id in (None, player.id)
    ]
    return tuple(
        Unconverted(row.id, row.title, row.state, tuple(won for _, won in theirs))
        for row, theirs in groupby(wanted, key=itemgetter(0))
    )
