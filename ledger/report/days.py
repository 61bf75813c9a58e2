"""The days that a report is about: their title, and their first and last moment."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from engine.games import GAMES
from engine.words.sentences import say, word
from ledger.report.characters import isolate
from ledger.services.session.session_filter import SessionFilter
from ledger.words.numbers import day
from ledger.words.translation import reader, translate


@dataclass(frozen=True, slots=True)
class Days:
    """The first and last day of a report, None without a limit."""

    first: date | None = None
    last: date | None = None

    @property
    def title(self) -> str:
        """The days in the reader's language; of a whole year its number."""
        first, last = self.first, self.last
        if first and last:
            if (first, last) == (date(first.year, 1, 1), date(first.year, 12, 31)):
                return f"{first.year}"
            return f"{day(first)} – {day(last)}"
        if first:
            return translate(say("Since {day}", day=day(first)))
        if last:
            return translate(say("Until {day}", day=day(last)))
        return translate(say("All evenings"))

    def moments(self, zone: tzinfo | None) -> tuple[datetime | None, datetime | None]:
        """Return the start of the first day and the end of the last in a zone, None without a limit.

        Days at the ends of the calendar, which have no time in some zones, are ignored.
        """
        start = self.first if self.first and self.first > _FIRST else None
        end = self.last + timedelta(days=1) if self.last and self.last < _LAST else None
        return _midnight(start, zone), _midnight(end, zone)


_FIRST, _LAST = date(2, 1, 1), date(9998, 12, 31)


def _midnight(on: date | None, zone: tzinfo | None) -> datetime | None:
    """Return the first moment of a day in a zone, by default the service's, in UTC."""
    if on is None:
        return None
    return datetime.combine(on, time.min, zone).astimezone(UTC)


def title_of(chosen: SessionFilter) -> str:
    """Return the title of a period: its days and its game.

    >>> from datetime import date
    >>> title_of(SessionFilter(date(2026, 1, 1), date(2026, 12, 31), "frog"))
    '2026: Frog'
    """
    days = Days(chosen.first_day, chosen.last_day).title
    if chosen.game is None:
        return days
    return f"{days}{reader().colon}{translate(word(GAMES[chosen.game].title))}"


def evening_title(title: str, *, on_paper: bool) -> str:
    """Return an evening's title for a report, marked if only its result is known.

    >>> evening_title("May", on_paper=True)[5:], evening_title("May", on_paper=False)[5:]
    (' (on paper)', '')
    """
    name = isolate(title)
    return f"{name} ({translate(say('on paper'))})" if on_paper else name
