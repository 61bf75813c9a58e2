"""Entries for changes of the table that move no chips, so that they can be undone.

Such an entry has no postings. Its details contain the former values of the changed settings: the seats'
states and places, the game, the rate, a break.
"""

from collections.abc import Mapping
from typing import Any

from sqlmodel import select

from ledger.books import journal
from ledger.database.models import Club, EntryKind, JournalEntry, PlaySession, Seat
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import WriteContext

_SESSION_COLUMNS = ("game", "variant", "options", "state", "rate_chips", "rate_money")
_SEATS, _CURRENCY = "seats", "currency"


def standing(session: ScopedSession, row: PlaySession) -> dict[str, Any]:
    """Return the present settings and seats of a table as JSON values, to be compared by ``before``.

    A seat has its state and position, by its id.
    """
    seats = session.exec(select(Seat).where(Seat.session_id == row.id)).all()
    return {
        **{name: getattr(row, name) for name in _SESSION_COLUMNS},
        _SEATS: {str(seat.id): [seat.state, seat.position] for seat in seats},
        _CURRENCY: session.exec(select(Club.currency)).one(),
    }


def before(then: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings and seats in ``then`` that differ from ``now``, with their former values.

    A former rate comes with its currency. Both are results of ``standing``.
    """
    changed = {name: then[name] for name in _SESSION_COLUMNS if then[name] != now[name]}
    if changed.get("rate_money") is not None:
        changed[_CURRENCY] = then[_CURRENCY]
    seats = {seat: place for seat, place in then[_SEATS].items() if place != now[_SEATS][seat]}
    return {**changed, **({_SEATS: seats} if seats else {})}


def note(
    tx: WriteContext,
    row: PlaySession,
    kind: EntryKind,
    then: Mapping[str, Any],
    seat: Seat | None = None,
) -> int | None:
    """Write an entry with the changes of a table since ``then``, and return its id; None if nothing changed.

    ``seat`` is the seat that changed, if it was one.
    """
    changed = before(then, standing(tx.session, row))
    if not changed:
        return None
    details = {"before": changed} | ({} if seat is None else {"seat": seat.id})
    return journal.post(tx.session, tx.header(row.id, kind, details=details), {})


def changes_table(entry: JournalEntry) -> bool:
    """Return whether an entry's details contain a former state of the table, which its undo restores."""
    return "before" in entry.details


def currency_before(entry: JournalEntry) -> str | None:
    """Return the currency of the rate that undoing an entry would restore, or None if it restores no rate."""
    currency: str | None = entry.details.get("before", {}).get(_CURRENCY)
    return currency


def put_back(session: ScopedSession, row: PlaySession, entry: JournalEntry) -> dict[str, Any]:
    """Restore the settings and seats that an entry changed.

    Return the replaced ones, as details for the undo. Does nothing and returns an empty mapping for an entry
    that did not change the table.
    """
    if not changes_table(entry):
        return {}
    then = standing(session, row)
    former: Mapping[str, Any] = entry.details["before"]
    for name in _SESSION_COLUMNS:
        if name in former:
            setattr(row, name, former[name])
    places: Mapping[str, Any] = former.get(_SEATS, {})
    for seat in session.exec(select(Seat).where(Seat.session_id == row.id)):
        if str(seat.id) in places:
            seat.state, seat.position = places[str(seat.id)]
    return {"before": before(then, standing(session, row))}
