"""The summary of a club's period: standings, games, records, evenings and who paid whom, for its report."""

from dataclasses import dataclass

from ledger.database.scope import ScopedSession
from ledger.services.club import clubs
from ledger.services.reads import club_statistics, head_to_head, records, sessions
from ledger.services.reads.club_statistics import ClubStats
from ledger.services.reads.head_to_head import Pair
from ledger.services.reads.records import ClubRecord
from ledger.services.reads.sessions import Evening
from ledger.services.session.session_filter import SessionFilter

MOST_EVENINGS = 500
"""The most evenings that a report lists: the newest ones."""


@dataclass(frozen=True, slots=True)
class PeriodSummary:
    """What a club played in a period, with its ``evenings`` oldest first and their complete ``number``."""

    club: str
    chosen: SessionFilter
    stats: ClubStats
    records: tuple[ClubRecord, ...]
    evenings: tuple[Evening, ...]
    number: int
    pairs: tuple[Pair, ...]


def of_period(session: ScopedSession, chosen: SessionFilter) -> PeriodSummary:
    """Return the summary of the evenings that match a filter by days and game."""
    evenings = sessions.of_club(session, chosen, limit=MOST_EVENINGS)
    return PeriodSummary(
        clubs.show(session).name,
        chosen,
        club_statistics.of_club(session, chosen),
        tuple(records.of_club(session, chosen)),
        tuple(reversed(evenings)),
        chosen.count(session),
        tuple(head_to_head.head_to_head(session, chosen)),
    )
