"""The choice of a period and a game, or of a season, on pages of statistics, kept in the page's address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from flask import request

from engine.games import GAMES
from ledger.report.days import title_of
from ledger.services.club import seasons
from ledger.services.club.seasons import SeasonView
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter, of_season, years
from ledger.web.frame.context import Here
from ledger.web.frame.figures import number_of
from ledger.words.problems import NotFound

_A_DAY = len("2026-01-31")


@dataclass(frozen=True, slots=True)
class Period:
    """The chosen days and game, and the years to choose from, newest first.

    They are those of a ``season`` if one is chosen.
    """

    chosen: SessionFilter
    years: Sequence[int]
    season: SeasonView | None = None

    @property
    def year(self) -> int | None:
        """The chosen year, if the days are those of a year."""
        first = self.chosen.first_day
        if self.season is not None or first is None:
            return None
        return first.year if self.chosen.days == _year(first.year) else None

    @property
    def has_other_days(self) -> bool:
        """Whether days are chosen that are not a year's or a season's."""
        return self.chosen.is_dated and self.year is None and self.season is None

    @property
    def title(self) -> str:
        """The season's name, or the days and the game in the reader's language."""
        return self.season.name if self.season is not None else title_of(self.chosen)

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The choice as arguments of a URL."""
        if self.season is not None:
            return {"season": self.season.id}
        return self._arguments(self.chosen.days, {})

    @property
    def days_only(self) -> Mapping[str, Any]:
        """The chosen days as arguments of a URL."""
        pairs = {"from": self.chosen.first_day, "to": self.chosen.last_day}
        return {name: day for name, day in pairs.items() if day is not None}

    def without_days(self, place: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments of a URL for all days, with the chosen game, added to the page's own."""
        return self._arguments(EVERY_SESSION, place)

    def in_year(self, year: int, place: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments of a URL for a year, with the chosen game, added to the page's own."""
        return self._arguments(_year(year), place)

    def _arguments(self, days: SessionFilter, place: Mapping[str, Any]) -> Mapping[str, Any]:
        game = self.chosen.game if self.season is None else None
        pairs = {"from": days.first_day, "to": days.last_day, "game": game}
        return {**place, **{name: value for name, value in pairs.items() if value is not None}}


def period_of(here: Here) -> Period:
    """Return the period in the request's URL.

    Unreadable values count as missing, and days in the wrong order are exchanged. A season comes before days
    and game.
    """
    season = _season(here)
    if season is not None:
        return Period(of_season(season), years(here.session), season)
    first, last = _day("from"), _day("to")
    if first and last and first > last:
        first, last = last, first
    game = request.args.get("game")
    return Period(SessionFilter(first, last, game if game in GAMES else None), years(here.session))


def _season(here: Here) -> SeasonView | None:
    season_id = number_of(request.args.get("season"))
    if season_id is None:
        return None
    try:
        return seasons.show(here.session, season_id)
    except NotFound:
        return None


def _day(name: str) -> date | None:
    try:
        return date.fromisoformat(request.args.get(name, "")[:_A_DAY])
    except ValueError:
        return None


def _year(year: int) -> SessionFilter:
    return SessionFilter(date(year, 1, 1), date(year, 12, 31))
