"""What changes at a table without a chip moving, kept in the journal so that it can be undone.

Such an entry has no postings. It keeps what was before it, of what it changed: the seats' states and
places, the game, the rate, a break. So undo always undoes what was done last.
"""

from collections.abc import Mapping
from typing import Any

from sqlmodel import select

from ledger.books import journal
from ledger.database.models import Club, EntryKind, JournalEntry, PlaySession, Seat
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import WriteContext

_OF_THE_SESSION = (
    "game",
    "variant",
    "options",
    "state",
    "rate_chips",
    "rate_money",
)
_SEATS, _CURRENCY = "seats", "currency"


def standing(session: ScopedSession, row: PlaySession) -> dict[str, Any]:
    """Return how a table stands, in values that JSON can hold."""
    seats = session.exec(select(Seat).where(Seat.session_id == row.id)).all()
    return {
        **{name: getattr(row, name) for name in _OF_THE_SESSION},
        _SEATS: {str(seat.id): [seat.state, seat.position] for seat in seats},
        _CURRENCY: session.exec(select(Club.currency)).one(),
    }


def before(then: Mapping[str, Any], now_is: Mapping[str, Any]) -> dict[str, Any]:
    """Return of what was ``then`` only what has changed since; of a rate its currency as well."""
    changed = {name: then[name] for name in _OF_THE_SESSION if then[name] != now_is[name]}
    if changed.get("rate_money") is not None:
        changed[_CURRENCY] = then[_CURRENCY]
    seats = {seat: place for seat, place in then[_SEATS].items() if place != now_is[_SEATS][seat]}
    return {**changed, **({_SEATS: seats} if seats else {})}


def note(
    tx: WriteContext,
    row: PlaySession,
    kind: EntryKind,
    then: Mapping[str, Any],
    seat: Seat | None = None,
) -> int | None:
    """Record what was changed since ``then``, and whose ``seat`` it was about; None: nothing was."""
    changed = before(then, standing(tx.session, row))
    if not changed:
        return None
    details = {"before": changed} | ({} if seat is None else {"seat": seat.id})
    return journal.post(tx.session, tx.header(row.id, kind, details=details), {})


def changes_table(entry: JournalEntry) -> bool:
    """Return whether an entry holds the table's former state."""
    return "before" in entry.details


def currency_before(entry: JournalEntry) -> str | None:
    """Return the currency of the rate that undoing an entry would bring back, where it says one."""
    currency: str | None = entry.details.get("before", {}).get(_CURRENCY)
    return currency


def put_back(session: ScopedSession, row: PlaySession, entry: JournalEntry) -> dict[str, Any]:
    """Restore a table to how it was before an entry that changed it.

    Return, as details of the entry that undoes the change, what it replaced.
    """
    if not changes_table(entry):
        return {}
    then = standing(session, row)
    was: Mapping[str, Any] = entry.details["before"]
    for name in _OF_THE_SESSION:
        if name in was:
            setattr(row, name, was[name])
    places: Mapping[str, Any] = was.get(_SEATS, {})
    for seat in session.exec(select(Seat).where(Seat.session_id == row.id)):
        if str(seat.id) in places:
            seat.state, seat.position = places[str(seat.id)]
    return {"before": before(then, standing(session, row))}
