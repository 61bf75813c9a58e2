"""The rows around the journal: accounts that are whose they say, sessions, seats, counts of chips."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from ledger.database.kinds.accounts import AccountKind, key_of
from ledger.database.kinds.states import SeatState, SessionState
from ledger.services.audit.lookups import Shelf, every
from ledger.services.audit.raw import columns, document, rows
from ledger.services.audit.row_types import AccountRow, CountRow, PlayerRow, SeatRow, SessionRow
from ledger.services.common import names

_CLOSED, _LEFT = SessionState.CLOSED.value, SeatState.LEFT.value
_SESSION_STATES = {state.value for state in SessionState}
_SEAT_STATES = {state.value for state in SeatState}


def check(
    connection: Connection,
    shelf: Shelf,
    closed: Mapping[int | None, bool],
    successors: Mapping[int, int | None],
    won: Mapping[int, int],
) -> None:
    """Hold these rows against one another, and sessions against what the journal says of them.

    ``closed`` says of each session that was ever closed whether it still is, ``successors`` to
    which seat the turn of one that was left went, ``won`` what each player won by other entries.
    """
    for account in shelf.accounts.values():
        shelf.note(account, _account(shelf, account))
    _seats(shelf, successors)
    for player in every(connection, PlayerRow):
        if player.name_key != names.key(player.name):
            shelf.note(player, f"{player.name} is found as {player.name_key}")
        if player.by_other_entries != (found := won.get(player.id, 0)):
            said = f"it says {player.by_other_entries} chips won by other entries"
            shelf.note(player, f"{said}, the books come to {found}")
    hold_chips = _with_chips(shelf)
    seats = Counter(seat.session_id for seat in shelf.seats.values())
    for session in shelf.sessions.values():
        if not 0 <= session.first_dealer < seats[session.id]:
            shelf.note(session, "its first dealer is none of its seats")
        shelf.note(session, _state(session, is_closed=closed.get(session.id, False)))
        held = session.state == _CLOSED and session.rate_chips is not None
        held = held and session.id in hold_chips
        if held != bool(session.unconverted):
            said = "no chips are" if held else "chips are"
            shelf.note(session, f"it says that {said} left to cash in, and its seats say otherwise")
    posted = _posted(connection)
    for count in every(connection, CountRow):
        _count(shelf, count, posted)


def _account(shelf: Shelf, account: AccountRow) -> str | None:
    """Say what is wrong with an account: whose it is, and whether it may be closed."""
    try:
        kind = AccountKind(account.kind)
    except ValueError:
        return f"there is no kind of account called {account.kind}"
    owners = account.session_id, account.seat_id, account.player_id
    key = key_of(kind, *owners, account.name, account.unit)
    if account.key != key:
        return f"it is kept as {key}"
    seat = shelf.seats.get(account.seat_id or 0)
    if kind is not AccountKind.SEAT:
        if account.seat_id is not None or (account.player_id is not None) != (
            kind is AccountKind.PLAYER
        ):
            return "it is said to be somebody's, and is not"
        return None if account.closed_at is None else "it is closed, and only a seat's ever is"
    if seat is None or seat.session_id != account.session_id or account.player_id is not None:
        return "it is not of the session of its seat"
    if (account.closed_at is None) == (seat.state == _LEFT):
        return f"it is {'open' if account.closed_at is None else 'closed'}, its seat {seat.state}"
    if seat.state == _LEFT and account.balance not in (0, seat.scored):
        return f"it holds {account.balance - seat.scored} chips, its seat was left"
    return None


def _seats(shelf: Shelf, successors: Mapping[int, int | None]) -> None:
    """Check that each seat has an account, a state there is, its place to itself, or a successor."""
    taken: set[tuple[int, int]] = set()
    for seat in shelf.seats.values():
        if shelf.of_seats[seat.id] is None:
            shelf.note(seat, "it has no account")
        place = seat.session_id, seat.position
        if seat.state not in _SEAT_STATES:
            shelf.note(seat, f"nobody can be {seat.state}")
        elif problem := _succession(shelf, seat, successors):
            shelf.note(seat, problem)
        elif seat.state != _LEFT:
            shelf.note(seat, "another seat has its place" if place in taken else None)
            taken.add(place)


def _succession(shelf: Shelf, seat: SeatRow, successors: Mapping[int, int | None]) -> str | None:
    """Say what is wrong with the seat that has the turn to deal of one that was left."""
    successor = shelf.seats.get(seat.successor_id or 0)
    if seat.state != _LEFT:
        return None if successor is None else "it has a successor, and was not left"
    if successors.get(seat.id, seat.successor_id) != seat.successor_id:
        return f"its successor is {seat.successor_id}, its entry says {successors[seat.id]}"
    if successor is not None and (successor.session_id != seat.session_id or successor is seat):
        return "its successor is none of the others there"
    return None


def _state(session: SessionRow, *, is_closed: bool) -> str | None:
    """Say what is wrong with a session's state; its last closing says whether it ``is_closed``."""
    if session.state not in _SESSION_STATES:
        return f"no session can be {session.state}"
    if (session.state == _CLOSED) != is_closed:
        return f"it is {session.state}, its entries say otherwise"
    if is_closed != (session.closed_at is not None):
        return f"it is {session.state}, against the time it was closed at"
    return None


def _with_chips(shelf: Shelf) -> set[int]:
    """Return the sessions in which a player has won, or lost, chips that have not become money.

    The sum is made here by itself, as a second opinion on what the pages go by.
    """
    unpaid: Counter[tuple[int, int]] = Counter()
    for seat in shelf.seats.values():
        account = shelf.accounts.get(shelf.of_seats[seat.id] or 0)
        held = account.balance if account else 0
        unpaid[seat.session_id, seat.player_id] += (
            held - seat.scored - seat.advanced - seat.converted
        )
    return {session_id for (session_id, _), chips in unpaid.items() if chips}


def _count(shelf: Shelf, count: CountRow, posted: Mapping[int, Mapping[int | None, int]]) -> None:
    """Check that chips counted come to their sum, and that what was posted is the difference."""
    seat = shelf.seats.get(count.seat_id)
    if seat is not None and seat.session_id != count.session_id:
        shelf.note(count, "its seat is of another session")
    total = sum(int(value) * number for value, number in document(count.pieces).items())
    if total != count.counted:
        shelf.note(count, f"it says {count.counted}, its chips come to {total}")
    if count.entry_id is not None:
        account, difference = shelf.of_seats.get(count.seat_id), count.counted - count.expected
        if posted[count.entry_id].get(account, 0) != difference:
            message = f"does not post {count.counted} less {count.expected}"
            shelf.note(count, f"entry {count.entry_id} {message}")


def _posted(connection: Connection) -> Mapping[int, Mapping[int | None, int]]:
    """Return what the entries of counts moved, by entry and account."""
    posted: dict[int, dict[int | None, int]] = defaultdict(dict)
    counted = columns("chip_count", "entry_id")
    wanted: Any = columns("posting", "entry_id", "account_id", "amount")
    for entry_id, account_id, amount in rows(
        connection, wanted.where(wanted.selected_columns.entry_id.in_(counted))
    ):
        posted[entry_id][account_id] = amount
    return posted
