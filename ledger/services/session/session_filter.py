"""The choice of a club's sessions for lists and statistics: by day, game, state and player, after another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, tuple_
from sqlmodel import col, func, or_, select

from engine.words.sentences import say
from ledger.database.models import PlaySession, Seat
from ledger.database.models.play import LISTED
from ledger.database.scope import Built, ScopedSession
from ledger.services.club import players, seasons
from ledger.services.club.seasons import SeasonView
from ledger.words.problems import Invalid


@dataclass(frozen=True, slots=True)
class SessionFilter:
    """The conditions of a list of sessions, newest first; deleted ones are never in it.

    Attributes:
        first_day: The earliest day, inclusive.
        last_day: The latest day, inclusive.
        game: The slug of the last game played.
        state: The state of the session.
        player: The name of somebody who was seated.
        session_id: The id of the only session.
        after: The id of the session before the first of the list, which may be deleted since.
    """

    first_day: date | None = None
    last_day: date | None = None
    game: str | None = None
    state: str | None = None
    player: str | None = None
    session_id: int | None = None
    after: int | None = None

    def count(self, session: ScopedSession) -> int:
        """Return the number of the sessions on all pages. Raises ``Invalid`` at ``player``."""
        rows = select(func.count()).select_from(PlaySession)
        return session.exec(rows.where(*self.conditions(session))).one()

    @property
    def is_dated(self) -> bool:
        """Whether it has a first or last day."""
        return self.first_day is not None or self.last_day is not None

    @property
    def days(self) -> "SessionFilter":
        """The filter with its days only."""
        return SessionFilter(self.first_day, self.last_day)

    @property
    def is_empty(self) -> bool:
        """Whether there is no condition."""
        return self == SessionFilter()

    def conditions(self, session: ScopedSession) -> Iterator[ColumnElement[bool]]:
        """Yield the conditions except ``after``. Raises ``Invalid`` at ``player``."""
        yield LISTED
        if self.first_day is not None:
            yield col(PlaySession.started_on) >= self.first_day
        if self.last_day is not None:
            yield col(PlaySession.started_on) <= self.last_day
        if self.game is not None:
            yield col(PlaySession.game) == self.game
        if self.state is not None:
            yield col(PlaySession.state) == self.state
        if self.player is not None:
            mine = select(Seat.id).where(Seat.session_id == PlaySession.id)
            player_id = players.by_name(session, self.player, "player").id
            yield mine.where(Seat.player_id == player_id).correlate(PlaySession).exists()
        if self.session_id is not None:
            yield col(PlaySession.id) == self.session_id

    def of_page(self, session: ScopedSession) -> Iterator[ColumnElement[bool]]:
        """Yield all conditions. Raises ``Invalid`` at ``player`` or ``after``."""
        yield from self.conditions(session)
        if self.after is not None:
            day = select(col(PlaySession.started_on)).where(PlaySession.id == self.after)
            started_on = session.exec(day).one_or_none()
            if started_on is None:
                raise Invalid.at(
                    "after",
                    "out-of-range",
                    say("This club has no evening {number}.", number=self.after),
                )
            place = tuple_(col(PlaySession.started_on), col(PlaySession.id))
            yield place < (started_on, self.after)


EVERY_SESSION = SessionFilter()


def of_season(season: SeasonView) -> SessionFilter:
    """Return the filter of a season's days and game."""
    return SessionFilter(season.first_day, season.last_day, season.game)


def of_query(session: ScopedSession, query: Mapping[str, Any]) -> SessionFilter:
    """Return the filter with these fields; ``season`` is the name of a season, for its days and game.

    Raises ``Invalid`` at ``season``.
    """
    fields = dict(query)
    name = fields.pop("season", None)
    if name is None:
        return SessionFilter(**fields)
    return replace(of_season(seasons.by_name(session, name, "season")), **fields)


def _outermost(*order: Any) -> Any:
    """Return a subquery for the first session in an order."""
    return select(PlaySession.id).where(LISTED).order_by(*order).limit(1).scalar_subquery()


_day, _id = col(PlaySession.started_on), col(PlaySession.id)
_FIRST_AND_LAST: Built[date] = Built(
    lambda day: day,
    select(_day).where(
        or_(_id == _outermost(_day, _id), _id == _outermost(_day.desc(), _id.desc()))
    ),
)


def years(session: ScopedSession) -> Sequence[int]:
    """Return the years from the club's first session to its last, newest first."""
    found = [day.year for day in session.ask(_FIRST_AND_LAST)]
    return range(max(found), min(found) - 1, -1) if found else ()
