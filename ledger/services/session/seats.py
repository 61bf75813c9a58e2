"""Seats by the names of those who sit in them, inside a transaction."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from engine.words.sentences import say
from ledger.books import journal
from ledger.database.models import Account, AccountKind, Player, PlaySession, Seat, SeatState
from ledger.database.scope import ScopedSession
from ledger.services.common import names
from ledger.services.common.writing import WriteContext, WriteResponse
from ledger.services.session.view import view
from ledger.words.problems import Invalid


def present(session: ScopedSession, session_id: int) -> list[tuple[Seat, str]]:
    """Return the seats of those who are here, clockwise, each with its player's name."""
    return list(
        session.exec(
            select(Seat, Player.name)
            .where(Seat.session_id == session_id, Seat.state != SeatState.LEFT.value)
            .where(Player.id == Seat.player_id)
            .order_by(col(Seat.position), col(Seat.id))
        )
    )


def here(
    session: ScopedSession, row: PlaySession, player: str, field: str = "player"
) -> tuple[Seat, str]:
    """Return the seat of a player who is here, and the name as the club spells it.

    Raises ``Invalid`` at ``field`` where no name is given, nobody of that name has a seat, or has left it.
    """
    found = present(session, row.id)
    wanted = names.key(player)
    for seat, name in found:
        if names.key(name) == wanted:
            return seat, name
    legal = tuple(name for _, name in found)
    if not wanted:
        raise Invalid.at(field, "player-missing", say("Choose a player."), legal)
    raise Invalid.at(
        field,
        "not-at-the-table",
        say("{name} has no seat in “{title}” now.", name=player.strip(), title=row.title),
        legal,
    )


def arrange(seats: Sequence[Seat]) -> None:
    """Number those who are here, clockwise."""
    for position, seat in enumerate(seats):
        seat.position = position


def left_of(session: ScopedSession, seat: Seat) -> int | None:
    """Return the seat on the left of one: whoever has its turn to deal once it is left."""
    here = [other.id for other, _ in present(session, seat.session_id)]
    found = here[(here.index(seat.id) + 1) % len(here)]
    return None if found == seat.id else found


def vacate(session: ScopedSession, seat: Seat) -> None:
    """Let a seat be left."""
    seat.successor_id = left_of(session, seat)
    seat.state = SeatState.LEFT.value
    arrange([other for other, _ in present(session, seat.session_id)])


def take_seat_back(session: ScopedSession, seat: Seat, state: str, position: int) -> None:
    """Put a seat that had left back in its place, or as near to it as the table is long."""
    here = [other for other, _ in present(session, seat.session_id)]
    seat.state, seat.successor_id = state, None
    arrange([*here[:position], seat, *here[position:]])


def account(session: ScopedSession, seat: Seat) -> Account:
    """Return a seat's chip account."""
    return session.exec(select(Account).where(Account.seat_id == seat.id)).one()


def changed(
    tx: WriteContext, row: PlaySession, entry: int | None = None, **more: Any
) -> WriteResponse:
    """Count a change of a session; return what it is answered with: the entry made, what each holds now."""
    row.revision += 1
    tx.session.flush()
    return {
        "id": row.id,
        "session": row.id,
        "revision": row.revision,
        "entry": entry,
        "balances": {seat.name: seat.balance for seat in view(tx.session, row).present},
        **more,
    }


def take(session: ScopedSession, session_id: int, player_id: int, position: int) -> Seat:
    """Give a player a new seat, with an account for its chips."""
    seat = Seat(session_id=session_id, player_id=player_id, position=position)
    session.add(seat)
    session.flush()
    journal.open_account(session, AccountKind.SEAT, session_id=session_id, seat_id=seat.id)
    return seat
