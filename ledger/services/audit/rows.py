"""Check the rows around the journal: accounts, players, sessions, seats and counted chips."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select

from ledger.database.kinds.accounts import AccountKind, key_of
from ledger.database.kinds.states import SeatState, SessionState
from ledger.services.audit.lookups import Lookups
from ledger.services.audit.raw import columns, document
from ledger.services.audit.row_types import AccountRow, CountRow, PlayerRow, SeatRow, SessionRow
from ledger.services.audit.tables import metadata
from ledger.services.common import emojis, names, pictures
from ledger.words.player_marks import MANY

_CLOSED, _LEFT = SessionState.CLOSED.value, SeatState.LEFT.value
_SESSION_STATES = {state.value for state in SessionState}
_SEAT_STATES = {state.value for state in SeatState}


def check(
    lookups: Lookups,
    closed: Mapping[int | None, bool],
    successors: Mapping[int, int | None],
    won: Mapping[int, int],
) -> None:
    """Compare these rows with each other and with the journal, and note each difference.

    Raises one of ``SPOILED`` for a count with unreadable pieces.

    Args:
        lookups: The rows, and where differences are noted.
        closed: From the journal, whether each session that was ever closed still is.
        successors: From the journal, the seat that took over the turn of each seat left.
        won: From the journal, each player's winnings by other entries.

    """
    for account in lookups.accounts.values():
        lookups.note(account, _account_fault(lookups, account))
    _check_seats(lookups, successors)
    for player in lookups.all_rows(PlayerRow):
        if player.name_key != names.key(player.name):
            lookups.note(player, f"{player.name} is found as {player.name_key}")
        if player.by_other_entries != (expected := won.get(player.id, 0)):
            fault = f"it says {player.by_other_entries} chips won by other entries"
            lookups.note(player, f"{fault}, the books come to {expected}")
        if player.colour is not None and player.colour not in range(MANY):
            lookups.note(player, f"there is no colour {player.colour}")
        if player.emoji and not emojis.is_emoji(str(player.emoji)):
            lookups.note(player, "its emoji is not one")
        lookups.note(player, _picture_fault(player))
    with_chips = _sessions_with_chips(lookups)
    seats = Counter(seat.session_id for seat in lookups.seats.values())
    for session in lookups.sessions.values():
        if not 0 <= session.first_dealer < seats[session.id]:
            lookups.note(session, "its first dealer is none of its seats")
        lookups.note(session, _state_fault(session, is_closed=closed.get(session.id, False)))
        has_rate = session.state == _CLOSED and session.rate_chips is not None
        is_unconverted = has_rate and session.id in with_chips
        if is_unconverted != bool(session.unconverted):
            fault = "no chips are" if is_unconverted else "chips are"
            message = f"it says that {fault} left to cash in, and its seats say otherwise"
            lookups.note(session, message)
    amounts = _count_amounts(lookups)
    for count in lookups.all_rows(CountRow):
        _check_count(lookups, count, amounts)


def _picture_fault(player: PlayerRow) -> str | None:
    """Return the fault in a player's picture or its digest, or None."""
    picture = player.picture
    if picture is not None and (not isinstance(picture, bytes) or pictures.fault(picture)):
        return "its picture is not one"
    if player.picture_digest != ("" if picture is None else pictures.digest(picture)):
        return "its picture is not the one of its digest"
    return None


def _account_fault(lookups: Lookups, account: AccountRow) -> str | None:
    """Return the first fault in an account's kind, key, owner or closing, or in a left seat's; else None."""
    try:
        kind = AccountKind(account.kind)
    except ValueError:
        return f"there is no kind of account called {account.kind}"
    owners = account.session_id, account.seat_id, account.player_id
    key = key_of(kind, *owners, account.name, account.unit)
    if account.key != key:
        return f"it is kept as {key}"
    seat = lookups.seats.get(account.seat_id or 0)
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


def _check_seats(lookups: Lookups, successors: Mapping[int, int | None]) -> None:
    """Note faults in each seat's account, state, successor and position, which no other seat may have."""
    places: set[tuple[int, int]] = set()
    for seat in lookups.seats.values():
        if lookups.seat_accounts[seat.id] is None:
            lookups.note(seat, "it has no account")
        place = seat.session_id, seat.position
        if seat.state not in _SEAT_STATES:
            lookups.note(seat, f"nobody can be {seat.state}")
        elif fault := _successor_fault(lookups, seat, successors):
            lookups.note(seat, fault)
        elif seat.state != _LEFT:
            lookups.note(seat, "another seat has its place" if place in places else None)
            places.add(place)


def _successor_fault(
    lookups: Lookups, seat: SeatRow, successors: Mapping[int, int | None]
) -> str | None:
    """Return the fault in a seat's successor, or None.

    Only a seat that was left may have one, by the journal.
    """
    successor = lookups.seats.get(seat.successor_id or 0)
    if seat.state != _LEFT:
        return None if successor is None else "it has a successor, and was not left"
    if successors.get(seat.id, seat.successor_id) != seat.successor_id:
        return f"its successor is {seat.successor_id}, its entry says {successors[seat.id]}"
    if successor is not None and (successor.session_id != seat.session_id or successor is seat):
        return "its successor is none of the others there"
    return None


def _state_fault(session: SessionRow, *, is_closed: bool) -> str | None:
    """Return the fault in a session's state or closing time, or None.

    ``is_closed`` is its state by the journal.
    """
    if session.state not in _SESSION_STATES:
        return f"no session can be {session.state}"
    if (session.state == _CLOSED) != is_closed:
        return f"it is {session.state}, its entries say otherwise"
    if is_closed != (session.closed_at is not None):
        return f"it is {session.state}, against the time it was closed at"
    return None


def _sessions_with_chips(lookups: Lookups) -> set[int]:
    """Return the sessions in which a player has winnings or losses in chips that have not become money.

    Computed from balances, as a second opinion on the sum that the pages use.
    """
    unpaid: Counter[tuple[int, int]] = Counter()
    for seat in lookups.seats.values():
        account = lookups.accounts.get(lookups.seat_accounts[seat.id] or 0)
        balance = account.balance if account else 0
        unpaid[seat.session_id, seat.player_id] += (
            balance - seat.scored - seat.advanced - seat.converted
        )
    return {session_id for (session_id, _), chips in unpaid.items() if chips}


def _check_count(
    lookups: Lookups, count: CountRow, amounts: Mapping[int, Mapping[int | None, int]]
) -> None:
    """Note a count of another session's seat, with a wrong sum, or with an entry of another difference."""
    seat = lookups.seats.get(count.seat_id)
    if seat is not None and seat.session_id != count.session_id:
        lookups.note(count, "its seat is of another session")
    total = sum(int(value) * number for value, number in document(count.pieces).items())
    if total != count.counted:
        lookups.note(count, f"it says {count.counted}, its chips come to {total}")
    if count.entry_id is not None:
        account, difference = (
            lookups.seat_accounts.get(count.seat_id),
            count.counted - count.expected,
        )
        if amounts[count.entry_id].get(account, 0) != difference:
            message = f"does not post {count.counted} less {count.expected}"
            lookups.note(count, f"entry {count.entry_id} {message}")


def _count_amounts(lookups: Lookups) -> Mapping[int, Mapping[int | None, int]]:
    """Return the amounts of the entries that counts led to, by entry and account."""
    amounts: dict[int, dict[int | None, int]] = defaultdict(dict)
    for entry_id, account_id, amount in lookups.fetch(_COUNT_AMOUNTS):
        amounts[entry_id][account_id] = amount
    return amounts


_COUNT_AMOUNTS: Select[Any] = columns("posting", "entry_id", "account_id", "amount").where(
    metadata.tables["posting"].c.entry_id.in_(columns("chip_count", "entry_id"))
)
