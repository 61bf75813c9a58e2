"""A club's log: devices let in or out, links and tokens made or revoked, and refused passcodes.

The newest 500 lines of each kind are stored, so that a stranger's ten thousand refused passcodes displace
only lines of their own kind.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from sqlmodel import col, delete, select

from engine.words.language import Sentence
from engine.words.sentences import later, say, word
from ledger.database.access import Access, Event
from ledger.database.models import SecurityEvent
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import now

MOST = 500
"""The number of lines of each kind that are stored."""

SENTENCES: Final[Mapping[str, str]] = {
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
"""The sentence that renders the details of each kind of event."""

LIFETIMES: Final[Mapping[str, Sentence]] = {
    "hour": say("an hour"),
    "evening": say("12 hours"),
    "week": say("a week"),
    "month": say("30 days"),
    "year": say("a year"),
}
"""The words for a link's lifetime."""

_TRANSLATED: Final = {"kind", "role", "before"}
"""The details that are words to translate; the others are names and addresses."""


@dataclass(frozen=True, slots=True)
class EventView:
    """A line of the log. ``sentence`` is ``what`` for pages, which render it in the reader's language."""

    at: Annotated[datetime, "The time of the event, or of the last refused passcode."]
    kind: Annotated[Event, "The kind of event."]
    who: Annotated[str, "The author of the action; empty for a stranger."]
    what: Annotated[str, "The device, link or token concerned, or the network."]
    times: Annotated[int, "The number of refused passcodes in a row; otherwise 1."]
    sentence: str


def note(session: ScopedSession, event: Event, access: Access, **details: str) -> None:
    """Add an event to the log, in the transaction of the change that it reports.

    The oldest lines of its kind beyond ``MOST`` are deleted.
    """
    row = SecurityEvent(at=now(), kind=event.value, who=access.author, details=details, network="")
    _add(session, row)


def note_refused(
    session: ScopedSession, counted: str, failures: int, *, who: str, network: str
) -> None:
    """Log a refused passcode; if ``failures`` is above 1, update the last line with this ``counted`` key.

    ``counted`` is a network or a known device or token, which ``who`` names; ``failures`` is the number in a
    row. A device may move between networks, so the line shows the ``network`` of the last refusal.
    """
    newest = select(SecurityEvent).where(
        SecurityEvent.kind == Event.REFUSED.value, SecurityEvent.network == counted
    )
    row = session.exec(newest.order_by(col(SecurityEvent.id).desc()).limit(1)).one_or_none()
    is_new = row is None or failures == 1
    if row is None or is_new:
        row = SecurityEvent(
            at=now(), kind=Event.REFUSED.value, who=who, details={}, network=counted
        )
    row.at, row.times, row.who = now(), failures, who
    row.details = {"network": network}
    if is_new:
        _add(session, row)


def list_all(
    session: ScopedSession, access: Access, *, offset: int = 0, limit: int = 50
) -> list[EventView]:
    """Return ``limit`` lines of the log, newest first, without the first ``offset``.

    Raises as ``must_own`` does.
    """
    access.must_own()
    newest = (col(SecurityEvent.at).desc(), col(SecurityEvent.id).desc())
    rows = session.exec(select(SecurityEvent).order_by(*newest).offset(offset).limit(limit)).all()
    return [_view(row) for row in rows]


def sentence(kind: str, details: Mapping[str, str]) -> str:
    """Return the sentence of an event; a line of an unknown earlier form is stored as ``text``.

    >>> sentence(Event.ROLE, {"author": "Ann", "kind": "iPhone", "before": "scorer", "role": "owner"})
    "Ann's iPhone: scorer, now owner"
    >>> sentence(Event.LINK, {"role": "viewer", "lasts": "evening"})
    "viewer's link, for 12 hours"
    """
    if "text" in details:
        return details["text"]
    values = {name: word(text) if name in _TRANSLATED else text for name, text in details.items()}
    if lasts := values.pop("lasts", ""):
        values["time"] = LIFETIMES.get(lasts) or word(lasts)
    return say(SENTENCES[kind], **values)


def _view(row: SecurityEvent) -> EventView:
    text = sentence(row.kind, row.details)
    return EventView(row.at, Event(row.kind), row.who, str(text), row.times, text)


def _add(session: ScopedSession, row: SecurityEvent) -> None:
    """Insert a line and delete the oldest of its kind beyond ``MOST``."""
    session.add(row)
    session.flush()
    beyond = select(SecurityEvent.id).where(SecurityEvent.kind == row.kind)
    beyond = beyond.order_by(col(SecurityEvent.id).desc()).offset(MOST).limit(1)
    last = session.exec(beyond).one_or_none()
    if last is not None:
        old = delete(SecurityEvent).where(col(SecurityEvent.id) <= last)
        session.exec(old.where(col(SecurityEvent.kind) == row.kind))
