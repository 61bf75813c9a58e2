"""Where things stand that pages follow, each in a number that changes with them.

A session has its revision. Of a club it is the number of its last entry: whatever is done there is one.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, select

from ledger.database.bulk_parameters import number_list
from ledger.database.models import Club, JournalEntry, PlaySession, SecurityEvent
from ledger.database.scope import Built, ScopedSession


def _last(model: Any) -> Any:
    """Return the number of a club's last row in a table, found by its index."""
    last = select(model.id).where(model.club_id == Club.id).order_by(col(model.id).desc())
    return last.limit(1).correlate(Club).scalar_subquery()


_REVISIONS = Built(
    lambda *row: row,
    select(PlaySession.id, PlaySession.revision).where(
        col(PlaySession.id).in_(number_list("wanted"))
    ),
    everywhere=True,
)
_CLUBS = Built(
    lambda *row: row,
    select(Club.id, _last(JournalEntry), _last(SecurityEvent)).where(
        col(Club.id).in_(number_list("wanted"))
    ),
    everywhere=True,
)


_OF_THE_CLUB = Built(
    lambda entry, event: (entry or 0, event or 0),
    select(_last(JournalEntry), _last(SecurityEvent)).select_from(Club),
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """Where ``sessions`` and ``clubs`` stand; ``doors`` is a club's last event of who may get in."""

    sessions: Mapping[int, int]
    clubs: Mapping[int, int]
    doors: Mapping[int, int]


def numbers(session: ScopedSession, sessions: Collection[int], clubs: Collection[int]) -> Numbers:
    """Look where these stand; ``session`` is of every club. What is gone is left out."""
    revisions = session.ask(_REVISIONS, wanted=sessions) if sessions else []
    rows = session.ask(_CLUBS, wanted=clubs) if clubs else []
    return Numbers(
        dict(revisions),
        {club: entry or 0 for club, entry, _ in rows},
        {club: event or 0 for club, _, event in rows},
    )


def of_club(session: ScopedSession) -> tuple[int, int]:
    """Return where the club in hand stands: its last entry, and its last event of who may get in."""
    return next(iter(session.ask(_OF_THE_CLUB)), (0, 0))
