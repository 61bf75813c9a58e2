"""A club's log: who was let in or out, by whom, and where a passcode was refused.

Of each kind the newest five hundred are kept, so that a stranger who fails ten thousand times pushes nothing
else out.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from sqlmodel import col, delete, select

from engine.words.sentences import later, say
from ledger.database.access import Access, Event
from ledger.database.models import SecurityEvent
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import now
from ledger.services.common.values import of_row

MOST = 500
"""How many of each kind are kept."""

TOLD: Final = {
    Event.REFUSED: later("from {network}"),
    Event.PASSCODE: "",
    Event.CAME: later("{kind}, as {role}"),
    Event.LEFT: later("{author}'s {kind}"),
    Event.OUT: later("{author}'s {kind}"),
    Event.ROLE: later("{author}'s {kind}: {before}, now {role}"),
    Event.LINK: later("{role}'s link, for {time}"),
    Event.LINK_OUT: later("{role}'s link"),
    Event.TOKEN: later("“{label}”, a {role}'s"),
    Event.TOKEN_OUT: later("“{label}”"),
}
"""What a line of each kind tells besides who; kept in English, read by pages that say it in others."""


@dataclass(frozen=True, slots=True)
class EventView:
    """A line of the log."""

    at: Annotated[datetime, "When; of refused passcodes, the last one."]
    kind: Annotated[Event, "What it was."]
    who: Annotated[str, "Whose device or token did it; empty: a stranger's."]
    what: Annotated[str, "To what device, link or token, or from what network."]
    times: Annotated[int, "How many refused passcodes in a row; otherwise 1."]


def note(session: ScopedSession, event: Event, access: Access, **told: str) -> None:
    """Note what somebody did, in the transaction in which it is done."""
    what = str(say(TOLD[event], **told))
    row = SecurityEvent(at=now(), kind=event.value, who=access.author, what=what, network="")
    _add(session, row)


def note_refused(
    session: ScopedSession, counted: str, failures: int, *, who: str, network: str
) -> None:
    """Note a refused passcode; those in a row that are ``counted`` together are one line.

    They are counted by network, or by the device or token that is known, of which ``who`` tells; that one may
    move: the line tells the ``network`` of the last.
    """
    asked = select(SecurityEvent).where(
        SecurityEvent.kind == Event.REFUSED.value, SecurityEvent.network == counted
    )
    row = session.exec(asked.order_by(col(SecurityEvent.id).desc()).limit(1)).one_or_none()
    is_new = row is None or failures == 1
    if row is None or is_new:
        row = SecurityEvent(at=now(), kind=Event.REFUSED.value, who=who, what="", network=counted)
    row.at, row.times, row.who = now(), failures, who
    row.what = str(say(TOLD[Event.REFUSED], network=network))
    if is_new:
        _add(session, row)


def every(
    session: ScopedSession, access: Access, *, offset: int = 0, limit: int = 50
) -> list[EventView]:
    """Return the log, newest first. Only owners may look."""
    access.must_own()
    newest = (col(SecurityEvent.at).desc(), col(SecurityEvent.id).desc())
    rows = session.exec(select(SecurityEvent).order_by(*newest).offset(offset).limit(limit)).all()
    return [of_row(EventView, row) for row in rows]


def _add(session: ScopedSession, row: SecurityEvent) -> None:
    session.add(row)
    session.flush()
    beyond = select(SecurityEvent.id).where(SecurityEvent.kind == row.kind)
    beyond = beyond.order_by(col(SecurityEvent.id).desc()).offset(MOST).limit(1)
    last = session.exec(beyond).one_or_none()
    if last is not None:
        old = delete(SecurityEvent).where(col(SecurityEvent.id) <= last)
        session.exec(old.where(col(SecurityEvent.kind) == row.kind))
