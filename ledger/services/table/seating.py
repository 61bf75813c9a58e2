"""How a table changes in an evening: who joins, sits out, comes back, leaves, or changes seats.

Each is an entry, also where no chip moves, so that undo takes back what was done last.

Each takes effect from the next hand on; hands already written keep their players. Places are counted
clockwise from 0 among those who are here. Who deals is for ``engine.rules.turns`` to say.
"""

from collections.abc import Sequence

from ledger import journal
from ledger.access import Access
from ledger.db import Database
from ledger.models import AccountKind, EntryKind, Seat, SeatState
from ledger.problems import Conflict, Invalid, counted
from ledger.services.chips import bank
from ledger.services.club import players
from ledger.services.common import names
from ledger.services.common.idempotency import Answer, once
from ledger.services.session import seats, snapshot
from ledger.services.session.load import unclosed_row

MOST_SEATS = 24
"""Those who play and those who sit out together; no game here seats more than twelve."""

_TURNS = {
    SeatState.SITTING_OUT: EntryKind.SITTING_OUT,
    SeatState.PLAYING: EntryKind.COMING_BACK,
}


def join(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    *,
    player: str,
    position: int | None = None,
    revision: int | None = None,
) -> Answer:
    """Seat a player, new to the club or not, at ``position`` (else last), with the session's stack.

    Somebody who left takes a new seat. Raises ``Invalid`` at ``player`` or ``position``.
    """
    said = {"id": session_id, "player": player, "position": position}
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            (person,) = players.by_names(session, {"player": player})
            here = [seat for seat, _ in seats.present(session, session_id)]
            if any(seat.player_id == person.id for seat in here):
                raise Invalid.at(
                    "player",
                    "seated-already",
                    f"{person.name} already has a seat in “{row.title}”.",
                )
            if len(here) >= MOST_SEATS:
                raise Invalid.at("player", "table-full", f"A table has at most {MOST_SEATS} seats.")
            place = len(here) if position is None else position
            if not 0 <= place <= len(here):
                raise Invalid.at(
                    "position",
                    "no-such-place",
                    _places(len(here)),
                )
            seat = Seat(session_id=session_id, player_id=person.id, position=place)
            session.add(seat)
            session.flush()
            journal.open_account(session, AccountKind.SEAT, session_id=session_id, seat_id=seat.id)
            seats.arrange([*here[:place], seat, *here[place:]])
            entry = bank.give_stacks(session, access, row, [seat], joined=True)
            row.revision += 1
            return {**seats.answer(session, row, entry), "seat": seat.id}

        return once(session, key, ("join", said), act)


def _places(seats: int) -> str:
    """Say which places a newcomer can take."""
    if not seats:
        return "Nobody sits here; the new seat is 0."
    return f"There {'is' if seats == 1 else 'are'} {counted(seats, 'seat')}; the new one can be 0 to {seats}."


def sit_out(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    *,
    player: str,
    revision: int | None = None,
) -> Answer:
    """Deal a player no hand until they come back; their chips stay where they are."""
    return _change(db, access, key, session_id, player, SeatState.SITTING_OUT, revision)


def come_back(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    *,
    player: str,
    revision: int | None = None,
) -> Answer:
    """Deal a player in again who sat out a while."""
    return _change(db, access, key, session_id, player, SeatState.PLAYING, revision)


def _change(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    player: str,
    state: SeatState,
    revision: int | None,
) -> Answer:
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            seat, name = seats.here(session, row, player)
            if seat.state == state:
                is_now = "is playing" if state is SeatState.PLAYING else "sits out"
                raise Conflict(f"{name} already {is_now}.")
            then = snapshot.standing(session, row)
            seat.state = state.value
            entry = snapshot.note(session, access, row, _TURNS[state], then, seat)
            row.revision += 1
            return seats.answer(session, row, entry)

        return once(session, key, (state.value, {"id": session_id, "player": player}), act)


def change_seats(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    *,
    order: Sequence[str],
    revision: int | None = None,
) -> Answer:
    """Seat everybody who is here anew, clockwise as ``order`` names them, sitting out or not.

    Raises ``Invalid`` at ``order`` unless it names each of them once.
    """
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            found = seats.present(session, session_id)
            by_key = {names.key(name): seat for seat, name in found}
            keys = [names.key(name) for name in order]
            if sorted(keys) != sorted(by_key):
                raise Invalid.at(
                    "order",
                    "not-everybody-once",
                    "Name everybody at the table once, clockwise: "
                    f"{', '.join(name for _, name in found)}.",
                    tuple(name for _, name in found),
                )
            then = snapshot.standing(session, row)
            seats.arrange([by_key[key] for key in keys])
            entry = snapshot.note(session, access, row, EntryKind.SEATS_CHANGED, then)
            row.revision += 1
            return seats.answer(session, row, entry)

        return once(session, key, ("change seats", {"id": session_id, "order": list(order)}), act)
