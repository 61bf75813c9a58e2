"""The summary of a club's period: standings, games, records, evenings and who paid whom, for its report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate

from engine.rules.sheet import CHIPS, SCORE
from ledger.database.scope import ScopedSession
from ledger.services.club import clubs, players
from ledger.services.reads import club_statistics, evening_sums, head_to_head, records, sessions
from ledger.services.reads.club_statistics import ClubStats
from ledger.services.reads.evening_sums import EveningSums
from ledger.services.reads.head_to_head import Pair
from ledger.services.reads.records import ClubRecord
from ledger.services.reads.sessions import Evening
from ledger.services.session.session_filter import SessionFilter

MOST_EVENINGS = 500
"""The most evenings that a report lists: the newest ones."""


MOST_LINES = 12
"""The most players in a chart of a period: those who played most evenings."""


@dataclass(frozen=True, slots=True)
class PeriodLine:
    """A player's total after each evening of a period, and the number of evenings before their first one."""

    name: str
    colour: int
    start: int
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PeriodSummary:
    """What a club played in a period, with its ``evenings`` oldest first and their complete ``number``.

    ``lines`` are the players' courses in each unit over the evenings on ``days``, best first.
    """

    club: str
    chosen: SessionFilter
    stats: ClubStats
    records: tuple[ClubRecord, ...]
    evenings: tuple[Evening, ...]
    number: int
    pairs: tuple[Pair, ...]
    days: tuple[date, ...]
    lines: Mapping[str, Sequence[PeriodLine]]


def of_period(
    session: ScopedSession, chosen: SessionFilter, evenings: Sequence[Evening] | None = None
) -> PeriodSummary:
    """Return the summary of the evenings that match a filter by days and game.

    ``evenings`` are these, newest first, if they have been read already.
    """
    if evenings is None:
        evenings = sessions.of_club(session, chosen, limit=MOST_EVENINGS)
    sums = evening_sums.of_period(session, chosen)
    people = {player.id: (player.name, player.colour) for player in players.everyone(session)}
    return PeriodSummary(
        clubs.show(session).name,
        chosen,
        club_statistics.of_club(session, chosen),
        tuple(records.of_club(session, chosen)),
        tuple(reversed(evenings[:MOST_EVENINGS])),
        chosen.count(session),
        tuple(head_to_head.head_to_head(session, chosen)),
        tuple(evening.started_on for evening in sums),
        {unit: _lines(sums, unit, people) for unit in (CHIPS, SCORE)},
    )


def _lines(
    sums: Sequence[EveningSums], unit: str, people: Mapping[int, tuple[str, int]]
) -> list[PeriodLine]:
    """Return the courses in a unit of the players who played most evenings for it, best first."""
    played = [evening.chips if unit == CHIPS else evening.scored for evening in sums]
    evenings: dict[int, list[int]] = {}
    for place, amounts in enumerate(played):
        for player_id in amounts if any(amounts.values()) else ():
            evenings.setdefault(player_id, []).append(place)
    most = sorted(evenings, key=lambda player_id: -len(evenings[player_id]))[:MOST_LINES]
    lines = [
        PeriodLine(
            *people[player_id],
            evenings[player_id][0],
            tuple(accumulate(amounts.get(player_id, 0) for amounts in played)),
        )
        for player_id in most
    ]
    return sorted(lines, key=lambda line: (-line.totals[-1], line.name))
