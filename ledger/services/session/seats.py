"""The seats of a session: found by their players' names, taken, left and put in order."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from engine.words.sentences import say
from ledger.books import journal
from ledger.database.models import Account, AccountKind, Player, PlaySession, Seat, SeatState
from ledger.database.scope import ScopedSession
from ledger.services.common import names
from ledger.services.common.writing import WriteContext, WriteResponse
from ledger.services.session.view import load
from ledger.words.problems import Invalid


def present(session: ScopedSession, session_id: int) -> list[tuple[Seat, str]]:
    """Return the seats of the players who have not left, clockwise, each with its player's name."""
    query = (
        select(Seat, Player.name)
        .where(Seat.session_id == session_id, Seat.state != SeatState.LEFT.value)
        .where(Player.id == Seat.player_id)
        .order_by(col(Seat.position), col(Seat.id))
    )
    return list(session.exec(query))


def here(
    session: ScopedSession, row: PlaySession, player: str, field: str = "player"
) -> tuple[Seat, str]:
    """Return the seat of a player at the table, and the name as the club spells it.

    Raises ``Invalid`` at ``field`` if the name is empty or no player at the table has it.
    """
    seats = present(session, row.id)
    key = names.key(player)
    for seat, name in seats:
        if names.key(name) == key:
            return seat, name
    legal = tuple(name for _, name in seats)
    if not key:
        raise Invalid.at(field, "player-missing", say("Choose a player."), legal)
    raise Invalid.at(
        field,
        "not-at-the-table",
        say("{name} has no seat in “{title}” now.", name=player.strip(), title=row.title),
        legal,
    )


def arrange(seats: Sequence[Seat]) -> None:
    """Number the positions of these seats from 0, in this order, which is clockwise."""
    for position, seat in enumerate(seats):
        seat.position = position


def left_of(session: ScopedSession, seat: Seat) -> int | None:
    """Return the id of the next present seat clockwise, which deals in a seat's turn once that is left.

    None if the seat is the only one. Raises ``ValueError`` for a seat that was left.
    """
    seats = [other.id for other, _ in present(session, seat.session_id)]
    successor = seats[(seats.index(seat.id) + 1) % len(seats)]
    return None if successor == seat.id else successor


def vacate(session: ScopedSession, seat: Seat) -> None:
    """Mark a seat as left, with the seat on its left as its successor, and renumber the others' positions.

    Its chips and its account stay as they are.
    """
    seat.successor_id = left_of(session, seat)
    seat.state = SeatState.LEFT.value
    arrange([other for other, _ in present(session, seat.session_id)])


def take_seat_back(session: ScopedSession, seat: Seat, state: str, position: int) -> None:
    """Mark a seat that was left as taken again, in this state, and put it at this position or, at most, last.

    From then on it has no successor, and the other seats are renumbered.
    """
    others = [other for other, _ in present(session, seat.session_id)]
    seat.state, seat.successor_id = state, None
    arrange([*others[:position], seat, *others[position:]])


def account(session: ScopedSession, seat: Seat) -> Account:
    """Return a seat's chip account, which every seat has."""
    return session.exec(select(Account).where(Account.seat_id == seat.id)).one()


def changed(
    tx: WriteContext, row: PlaySession, entry: int | None = None, **more: Any
) -> WriteResponse:
    """Increment a session's revision; return the response to a write, with the chips of all present players.

    ``entry`` is the id of the entry that was made, if any; ``more`` is added to the response.
    """
    row.revision += 1
    tx.session.flush()
    return {
        "id": row.id,
        "session": row.id,
        "revision": row.revision,
        "entry": entry,
        "balances": {seat.name: seat.balance for seat in load(tx.session, row.id).present},
        **more,
    }


def take(session: ScopedSession, session_id: int, player_id: int, position: int) -> Seat:
    """Add a seat for a player at a position, with a chip account, and return it.

    The other seats stay as they are.
    """
    seat = Seat(session_id=session_id, player_id=player_id, position=position)
    session.add(seat)
    session.flush()
    journal.open_account(session, AccountKind.SEAT, session_id=session_id, seat_id=seat.id)
    return seat
