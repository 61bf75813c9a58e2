"""Changes of a table during a session: joining, sitting out, coming back and changing seats.

Each writes an entry, even if no chips move, so that undo always reverses the last action. It takes effect
with the next hand. Places are counted clockwise from 0 among present players. ``engine.rules.seating``
determines the dealer.
"""

from collections.abc import Sequence

from engine.words.sentences import later, say
from ledger.database.models import EntryKind, SeatState
from ledger.services.chips import bank
from ledger.services.club import players
from ledger.services.common import names
from ledger.services.common.writing import WriteContext, WriteResponse, writes
from ledger.services.session import seats, snapshot
from ledger.services.session.load import unclosed_row
from ledger.words.problems import Invalid, Unchanged

MOST_SEATS = 24
"""The most seats, including players sitting out; no game seats more than twelve."""

_TURNS = {SeatState.SITTING_OUT: EntryKind.SITTING_OUT, SeatState.PLAYING: EntryKind.COMING_BACK}


@writes("join")
def join(
    tx: WriteContext, session_id: int, *, player: str, position: int | None = None
) -> WriteResponse:
    """Seat a player at ``position`` or last, with the starting stack; add a new name to the club.

    A returning player takes a new seat, and an archived one is active again. Raises ``Invalid`` at
    ``player``, also if they have a seat or the table is full, or at ``position``; ``SessionClosed`` and
    ``Stale``.
    """
    session = tx.session
    row = unclosed_row(session, session_id, tx.seen)
    (person,) = players.by_names(session, {"player": player})
    here = [seat for seat, _ in seats.present(session, session_id)]
    if any(seat.player_id == person.id for seat in here):
        raise Invalid.at(
            "player",
            "seated-already",
            say("{name} already has a seat in “{title}”.", name=person.name, title=row.title),
        )
    if len(here) >= MOST_SEATS:
        raise Invalid.at(
            "player",
            "table-full",
            say("A table has at most {most_seats} seats.", most_seats=MOST_SEATS),
        )
    place = len(here) if position is None else position
    if not 0 <= place <= len(here):
        raise Invalid.at("position", "no-such-place", _places(len(here)))
    seat = seats.take(session, session_id, person.id, place)
    seats.arrange([*here[:place], seat, *here[place:]])
    entry = bank.give_stacks(tx, row, [seat], joined=True)
    return seats.changed(tx, row, entry, seat=seat.id)


def _places(seats: int) -> str:
    """Return the sentence about the places, counted from 0, that a new player can take."""
    if not seats:
        return say("Nobody sits here; the new seat is 0.")
    return say("There {n:~is|are} {n:seat|seats}; the new one can be 0 to {n}.", n=seats)


@writes(SeatState.SITTING_OUT.value)
def sit_out(tx: WriteContext, session_id: int, *, player: str) -> WriteResponse:
    """Make a player sit out until they come back; their chips stay.

    Raises ``Invalid`` at ``player``, ``Unchanged`` if they sit out already, ``SessionClosed`` and ``Stale``.
    """
    return _change(tx, session_id, player, SeatState.SITTING_OUT)


@writes(SeatState.PLAYING.value)
def come_back(tx: WriteContext, session_id: int, *, player: str) -> WriteResponse:
    """Make a player play again after sitting out.

    Raises ``Invalid`` at ``player``, ``Unchanged`` if they are playing already, ``SessionClosed`` and
    ``Stale``.
    """
    return _change(tx, session_id, player, SeatState.PLAYING)


def _change(tx: WriteContext, session_id: int, player: str, state: SeatState) -> WriteResponse:
    session = tx.session
    row = unclosed_row(session, session_id, tx.seen)
    seat, name = seats.here(session, row, player)
    if seat.state == state:
        plays, sits = later("{name} is already playing."), later("{name} already sits out.")
        raise Unchanged(say(plays if state is SeatState.PLAYING else sits, name=name))
    then = snapshot.standing(session, row)
    seat.state = state.value
    entry = snapshot.note(tx, row, _TURNS[state], then, seat)
    return seats.changed(tx, row, entry)


@writes("change seats")
def change_seats(tx: WriteContext, session_id: int, *, order: Sequence[str]) -> WriteResponse:
    """Reorder all present players, including those sitting out, clockwise as in ``order``.

    Raises ``Invalid`` at ``order`` unless it names each of them once, and ``Unchanged`` for the present
    order.
    """
    session = tx.session
    row = unclosed_row(session, session_id, tx.seen)
    present = seats.present(session, session_id)
    by_key = {names.key(name): seat for seat, name in present}
    keys = [names.key(name) for name in order]
    if sorted(keys) != sorted(by_key):
        raise Invalid.at(
            "order",
            "not-everybody-once",
            say(
                "Name everybody at the table once, clockwise: {names}.",
                names=", ".join(name for _, name in present),
            ),
            tuple(name for _, name in present),
        )
    if keys == list(by_key):
        raise Unchanged
    then = snapshot.standing(session, row)
    seats.arrange([by_key[key] for key in keys])
    entry = snapshot.note(tx, row, EntryKind.SEATS_CHANGED, then)
    return seats.changed(tx, row, entry)
