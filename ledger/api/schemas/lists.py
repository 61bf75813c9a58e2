"""Query parameters of lists: the position, and filters."""

from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from engine.games import GAMES
from engine.words.sentences import say
from ledger.api.schemas.base import (
    Day,
    DescribedField,
    Length,
    OneOf,
    Range,
    Shape,
    Text,
    field_messages,
)
from ledger.database.models import HandState, SessionState
from ledger.keeping.exports.csv_text import DIALECTS
from ledger.keeping.exports.formats import FORMATS
from ledger.report.sheets import PAPER_SIZES
from ledger.services.common.names import LONGEST

LARGEST_ID = 2**63 - 1
"""The largest id that both databases can store."""


_ROW = Range(min=1, max=LARGEST_ID, error=say("The number of a row is 1 or more, up to 19 digits."))

PDF = {"type": "string", "format": "binary"}
"""The schema of a response that is a PDF."""


class _Number(DescribedField, fields.Integer):
    """The number of a row; the digits of a query parameter are text."""

    default_error_messages = field_messages(say("A whole number belongs here."))


def _choice(description: str, names: list[str], **options: Any) -> Text:
    error = say("Choose {names:or}.", names=names)
    return Text(description, enum=names, validate=OneOf(names, error=error), **options)


class ListQuery(Shape):
    """The row before the first of a list."""

    after = _Number(
        "The last row of the page before, instead of `page`: rows added or removed meanwhile then don't "
        'shift the pages. The `Link` with `rel="next"` has it.',
        validate=_ROW,
    )


class PeriodQuery(Shape):
    """The first and last day of evenings, or a season."""

    season = Text(
        "The name of a season, for its days and its game, instead of these.",
        validate=Length(
            min=1, max=LONGEST, error=say("A name has 1 to {n} characters.", n=LONGEST)
        ),
    )
    first_day = Day("The first day of the evenings.", data_key="from")
    last_day = Day("Their last day.", data_key="to")

    @validates_schema
    def _check_order(self, days: dict[str, Any], **_: Any) -> None:
        """Raise ``ValidationError`` for days in the wrong order, or beside a season."""
        if "season" in days and {"first_day", "last_day", "game"} & days.keys():
            sentence = say(
                "A season has its own days and game: send it without `from`, `to` and `game`."
            )
            raise ValidationError({"season": [sentence]})
        first, last = days.get("first_day"), days.get("last_day")
        if first and last and first > last:
            sentence = say(
                "The last day, {last}, is before the first, {first}; put the earlier one in `from`.",
                first=first.isoformat(),
                last=last.isoformat(),
            )
            raise ValidationError({"to": [sentence]})


class DaysQuery(PeriodQuery, ListQuery):
    """The days of a list of evenings."""


def _player(description: str) -> Text:
    error = say("A name has 1 to {n} characters.", n=LONGEST)
    return Text(description, validate=Length(min=1, max=LONGEST, error=error))


class EveningsQuery(DaysQuery):
    """Filters of a list of evenings."""

    game = _choice("The slug of the last game played.", [*GAMES])
    state = _choice("The state now.", [*SessionState])
    player = _player("The name of a player who was seated.")


class StatisticsQuery(PeriodQuery):
    """The hands in statistics, by day and game."""

    game = _choice("The slug of the game of the hands.", [*GAMES])


class ClubStatisticsQuery(StatisticsQuery):
    """The hands in the statistics of a club, by day, game and player."""

    player = _player("The name of a player; the others are left out.")


class HandsQuery(ListQuery):
    """Filters of a list of hands, and additions to it."""

    player = _player("The name of the bidder or partner.")
    state = _choice("The state now.", [*HandState])
    include = _choice("`record` adds each hand's record.", ["record"])


class PaperQuery(Shape):
    """The paper of a report."""

    paper = _choice(
        "The paper; by default the one that the region in `Accept-Language` prints on, usually A4.",
        [*PAPER_SIZES],
    )


class PeriodPaperQuery(PeriodQuery, PaperQuery):
    """The days and the paper of a report."""


class PeriodReportQuery(StatisticsQuery, PaperQuery):
    """The evenings in the report of a club's period, and its paper."""


class ExportQuery(PeriodQuery):
    """The file to export, and the evenings in it; some files are always of the whole club."""

    slug = _choice(
        "What to export.", [*FORMATS], data_key="format", load_default=next(iter(FORMATS))
    )
    dialect = _choice(
        "How CSV is written: `excel-de` has semicolons and decimal commas.",
        [*DIALECTS],
        load_default=next(iter(DIALECTS)),
    )
    game = _choice("The slug of a game.", [*GAMES])
    session_id = _Number("The id of the only evening.", data_key="session", validate=_ROW)


class ScoreSheetQuery(PaperQuery):
    """The paper and the rows of a score sheet."""

    rows = _choice("`blank` for rows to write in; by default the session's hands.", ["blank"])
