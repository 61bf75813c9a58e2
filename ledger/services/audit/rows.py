"""The rows around the journal: accounts that are whose they say, sessions, seats, counts of chips."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection

from ledger.accounts import AccountKind, key_of
from ledger.models import SeatState, SessionState
from ledger.services.audit.lookups import Difference, Shelf
from ledger.services.audit.raw import columns, document, rows
from ledger.services.audit.row_types import AccountRow, SeatRow
from ledger.services.common import names

_CLOSED, _LEFT = SessionState.CLOSED.value, SeatState.LEFT.value
_SESSION_STATES = {state.value for state in SessionState}
_SEAT_STATES = {state.value for state in SeatState}


def check(
    connection: Connection,
    shelf: Shelf,
    closed: Mapping[int | None, bool],
    successors: Mapping[int, int | None],
) -> Iterator[Difference]:
    """Hold these rows against one another, and sessions against what the journal says of them.

    ``closed`` says of each session that was ever closed whether it still is, ``successors`` to
    which seat the turn of one that was left went.
    """
    for account in shelf.accounts.values():
        problem = _account(shelf, account)
        if problem:
            yield shelf.differs(account.club_id, f"account {account.key}", problem)
    yield from _seats(shelf, successors)
    yield from _players(connection, shelf)
    yield from _sessions(connection, shelf, closed)
    yield from _counts(connection, shelf)


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
    return None


def _seats(shelf: Shelf, successors: Mapping[int, int | None]) -> Iterator[Difference]:
    """Check that each seat has an account, a state there is, its place to itself, or a successor."""
    taken: set[tuple[int, int]] = set()
    for seat in shelf.seats.values():
        place = f"session {seat.session_id}, seat {seat.id}"
        if shelf.of_seats[seat.id] is None:
            yield shelf.differs(seat.club_id, place, "it has no account")
        if seat.state not in _SEAT_STATES:
            yield shelf.differs(seat.club_id, place, f"nobody can be {seat.state}")
        elif problem := _succession(shelf, seat, successors):
            yield shelf.differs(seat.club_id, place, problem)
        elif seat.state != _LEFT:
            if (seat.session_id, seat.position) in taken:
                yield shelf.differs(seat.club_id, place, "another seat has its place")
            taken.add((seat.session_id, seat.position))


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


def _players(connection: Connection, shelf: Shelf) -> Iterator[Difference]:
    """Check that a player is found by the name that is shown."""
    for player_id, club_id, name, name_key in rows(
        connection, columns("player", "id", "club_id", "name", "name_key")
    ):
        if name_key != names.key(name):
            yield shelf.differs(club_id, f"player {player_id}", f"{name} is found as {name_key}")


def _sessions(
    connection: Connection, shelf: Shelf, closed: Mapping[int | None, bool]
) -> Iterator[Difference]:
    """Check that a session is closed where its last closing was not followed by a reopening.

    And that it is said to hold chips worth money where it does, and that its first dealer had a seat.
    """
    wanted = columns(
        "play_session",
        "id",
        "club_id",
        "state",
        "closed_at",
        "rate_chips",
        "unconverted",
        "first_dealer",
    )
    hold_chips = _with_chips(shelf)
    seats = Counter(seat.session_id for seat in shelf.seats.values())
    for session_id, club_id, state, closed_at, rate, unconverted, dealer in rows(
        connection, wanted
    ):
        place = f"session {session_id}"
        if not 0 <= dealer < seats[session_id]:
            yield shelf.differs(club_id, place, "its first dealer is none of its seats")
        if state not in _SESSION_STATES:
            yield shelf.differs(club_id, place, f"no session can be {state}")
        elif (state == _CLOSED) != closed.get(session_id, False):
            yield shelf.differs(club_id, place, f"it is {state}, its entries say otherwise")
        elif (state == _CLOSED) != (closed_at is not None):
            yield shelf.differs(club_id, place, f"it is {state}, against the time it was closed at")
        held = state == _CLOSED and rate is not None and session_id in hold_chips
        if held != bool(unconverted):
            said = "no chips are" if held else "chips are"
            yield shelf.differs(
                club_id, place, f"it says that {said} left to cash in, and its seats say otherwise"
            )


def _with_chips(shelf: Shelf) -> set[int]:
    """Return the sessions in which a player has won, or lost, chips that have not become money."""
    unpaid: Counter[tuple[int, int]] = Counter()
    for seat in shelf.seats.values():
        account = shelf.accounts.get(shelf.of_seats[seat.id] or 0)
        held = account.balance if account else 0
        unpaid[seat.session_id, seat.player_id] += held - seat.advanced - seat.converted
    return {session_id for (session_id, _), chips in unpaid.items() if chips}


def _counts(connection: Connection, shelf: Shelf) -> Iterator[Difference]:
    """Check that chips counted come to their sum, and that what was posted is the difference."""
    wanted = columns(
        "chip_count", "id", "club_id", "session_id", "seat_id", "pieces", "counted", "expected",
        "entry_id",
    )  # fmt: skip
    posted = _posted(connection)
    for count_id, club_id, session_id, seat_id, pieces, counted, expected, entry_id in rows(
        connection, wanted
    ):
        place = f"session {session_id}, count {count_id}"
        seat = shelf.seats.get(seat_id)
        if seat is not None and seat.session_id != session_id:
            yield shelf.differs(club_id, place, "its seat is of another session")
        total = sum(int(value) * number for value, number in document(pieces).items())
        if total != counted:
            yield shelf.differs(club_id, place, f"it says {counted}, its chips come to {total}")
        account = shelf.of_seats.get(seat_id)
        if entry_id is not None and posted[entry_id].get(account, 0) != counted - expected:
            yield shelf.differs(
                club_id, place, f"entry {entry_id} does not post {counted} less {expected}"
            )


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
