"""Undoing a leaving: seat, chips and money are restored."""

from sqlmodel import col, select

from engine.words.sentences import say
from ledger.database.models import JournalEntry, Player, PlaySession, Seat, SeatState
from ledger.database.scope import ScopedSession
from ledger.services.common import names
from ledger.services.common.writing import WriteContext, WritePlan, plans
from ledger.services.hands.preview import Preview
from ledger.services.session import reversals
from ledger.services.session.load import unclosed
from ledger.services.undo import reverse
from ledger.words.problems import Invalid


@plans("take leaving back")
def take_back(
    tx: WriteContext, session_id: int, *, player: str, reason: str = ""
) -> WritePlan[Preview]:
    """Undo a player's last leaving: seat, chips and money are as before it.

    Raises ``Invalid`` at ``player`` if no player with this name has left, and the errors of
    ``entry.take_back``.
    """
    row, view = unclosed(tx, session_id)
    entry = _last_leaving(tx.session, row, player)
    return reverse.prepared(tx, row, view, entry, reason, takes_back=entry.id)


def _last_leaving(session: ScopedSession, row: PlaySession, player: str) -> JournalEntry:
    """Return the entry of a player's last leaving in force. Raises ``Invalid`` at ``player`` without one."""
    left = session.exec(
        select(Seat, Player.name)
        .where(Seat.session_id == row.id, Seat.state == SeatState.LEFT.value)
        .where(Player.id == Seat.player_id)
        .order_by(col(Seat.id).desc())
    ).all()
    seat_ids = {seat.id for seat, name in left if names.key(name) == names.key(player)}
    leavings = reversals.newest_first(session, row.id, reversals.LEAVINGS)
    # A player can have left several seats, in any order, and can return to any of them. A seat has no leaving
    # if its joining was undone.
    last = next((entry for entry in leavings if entry.details["seat"] in seat_ids), None)
    if last is None:
        raise Invalid.at(
            "player",
            "has-not-left",
            say("{player} has not left “{title}”.", player=player, title=row.title),
            tuple(name for _, name in left),
        )
    return last
