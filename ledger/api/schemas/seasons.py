"""Schemas of seasons."""

from engine.games import GAMES
from ledger.api.schemas.base import Day, Part, Rows, Shape, Text, WholeNumber, shape_of
from ledger.database.kinds.seasons import ScoringMethod, TieBreak
from ledger.services.club.seasons import LONGEST_PRIZE, MOST_EVENINGS, SeasonView
from ledger.services.reads.season_table import SeasonStanding
from ledger.services.reads.seasons import SeasonChange, SeasonTable

SeasonSchema = shape_of("Season", SeasonView)
shape_of("SeasonStanding", SeasonStanding)
shape_of("SeasonChange", SeasonChange)
SeasonTableSchema = shape_of("SeasonTable", SeasonTable, season=Part(SeasonSchema))


class SeasonDraft(Shape):
    """A season's name and rules."""

    name = Text("Any Unicode name of up to 64 characters, unique in the club.", required=True)
    first_day = Day("The first day of its evenings.", required=True)
    last_day = Day("Their last day.", required=True)
    game = Text(
        "The slug of the only game whose evenings count: the last one played; null for all games.",
        load_default=None,
        allow_none=True,
        enum=[*GAMES],
    )
    method = Text(
        "What is added up: `chips` (of German Solo the score), the `money` that evenings came to, a point "
        "for each player who won less in an evening (`ranks`), or the evenings won (`wins`).",
        load_default=ScoringMethod.CHIPS.value,
        enum=[*ScoringMethod],
    )
    least_evenings = WholeNumber(
        f"The fewest evenings for a place, 0 to {MOST_EVENINGS}.", load_default=0
    )
    tie_breaks = Rows(
        Text(enum=[*TieBreak]),
        "What orders equal totals, the first that differs: more evenings won, more evenings, the better best "
        "evening, or the larger sum of all evenings.",
        load_default=(),
    )
    prize = Text(f"Up to {LONGEST_PRIZE} characters.", load_default="")
