"""Numbers that change with the data that open pages follow.

A session's number is its revision plus its confirmations. A club's is the id of its last entry, as every
change writes one.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import JSON, BigInteger, cast, type_coerce
from sqlmodel import col, select

from ledger.database.bulk_parameters import json_table, number_list
from ledger.database.models import Club, JournalEntry, PlaySession, SecurityEvent
from ledger.database.models.play import LIVE_NUMBER
from ledger.database.scope import Built, ScopedSession


def _last(model: Any) -> Any:
    """Return a subquery for the id of a club's last row in a table, found by its index."""
    last = select(model.id).where(model.club_id == Club.id).order_by(col(model.id).desc())
    return last.limit(1).correlate(Club).scalar_subquery()


_CLUBS = Built(
    lambda *row: row,
    select(Club.id, _last(JournalEntry), _last(SecurityEvent)).where(
        col(Club.id).in_(number_list("wanted"))
    ),
    everywhere=True,
)

_KEYS = json_table("keys")


def _part(index: int) -> Any:
    """Return the SQL value of the club (0) or the session (1) in a row of the bound session keys."""
    return cast(type_coerce(_KEYS.c.value, JSON)[index].as_string(), BigInteger)


_SESSIONS = Built(
    lambda *row: row,
    select(PlaySession.club_id, PlaySession.id, LIVE_NUMBER).where(
        PlaySession.club_id == _part(0), PlaySession.id == _part(1)
    ),
    everywhere=True,
)

_OF_CLUB = Built(
    lambda entry, event: (entry or 0, event or 0),
    select(_last(JournalEntry), _last(SecurityEvent)).select_from(Club),
)


SessionKey = tuple[int, int]
"""A session's club and id."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The live numbers of sessions, the ids of clubs' last entries, and of their last ``security_events``."""

    sessions: Mapping[SessionKey, int]
    clubs: Mapping[int, int]
    security_events: Mapping[int, int]


def numbers(
    session: ScopedSession, sessions: Collection[SessionKey], clubs: Collection[int]
) -> Numbers:
    """Return these sessions' live numbers, and the ids of these clubs' last entries and security events.

    Those that don't exist are left out. A club without entries or events has 0. ``session`` is for every
    club.
    """
    of_sessions = session.ask(_SESSIONS, keys=dict(enumerate(sessions))) if sessions else []
    rows = session.ask(_CLUBS, wanted=clubs) if clubs else []
    return Numbers(
        {(club, session_id): number for club, session_id, number in of_sessions},
        {club: entry or 0 for club, entry, _ in rows},
        {club: event or 0 for club, _, event in rows},
    )


def of_club(session: ScopedSession) -> tuple[int, int]:
    """Return the ids of this club's last entry and last security event, 0 if there is none."""
    return next(iter(session.ask(_OF_CLUB)), (0, 0))
