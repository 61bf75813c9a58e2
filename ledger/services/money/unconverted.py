"""Chips that are worth money, because of the session's rate, and are not cashed in yet.

They remain if a session is closed without cashing in, or a hand is corrected afterwards. Money balances don't
include them, so every page with debts names the sessions that have some.
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
    """A player's chips won or, if negative, lost."""

    player: str
    chips: Annotated[int, "Negative: they lost them."]


@dataclass(frozen=True, slots=True)
class Unconverted:
    """A session with unconverted chips, and their players."""

    id: int
    title: str
    state: Annotated[str, "If closed, reopen it first.", SessionState]
    players: Annotated[tuple[Winnings, ...], "The players of the chips."]


def sessions(
    session: ScopedSession, excluded: Sequence[Unfinished] = (), *, player_id: int | None = None
) -> tuple[Unconverted, ...]:
    """Return the club's sessions with unconverted chips, oldest first, except those ``excluded``.

    With a ``player_id`` only that player's chips count, and sessions without any are left out. The index's
    condition is a literal in the statement, so that databases use the index.
    """
    rows = session.exec(
        select(PlaySession, Player, _UNPAID)
        .join(Seat, col(Seat.session_id) == PlaySession.id)
        .join(Account, col(Account.seat_id) == Seat.id)
        .join(Player, col(Player.id) == Seat.player_id)
        .where(col(PlaySession.id).in_(select(PlaySession.id).where(MAY_HOLD_CHIPS)))
        .group_by(
            *(col(PlaySession.club_id), col(PlaySession.id)),
            *(col(Player.club_id), col(Player.id)),
        )
        .having(_UNPAID != 0)
        .order_by(col(PlaySession.id), func.min(Seat.position), col(Player.id))
    ).all()
    excluded_ids = {session.id for session in excluded}
    pairs = [
        (row, Winnings(player.name, int(chips)))
        for row, player, chips in rows
        if row.id not in excluded_ids and player_id in (None, player.id)
    ]
    return tuple(
        Unconverted(row.id, row.title, row.state, tuple(won for _, won in group))
        for row, group in groupby(pairs, key=itemgetter(0))
    )
