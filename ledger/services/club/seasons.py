"""The seasons of a club: listing, creating, changing, reopening and deleting.

A season's table is computed in ``ledger.services.reads.seasons``; ``ledger.services.table.season_end`` closes
one with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Annotated, Any

from sqlmodel import col, select

from engine.games import GAMES
from engine.rules.sheet import SCORE
from engine.words.sentences import later, say
from ledger.database.kinds.seasons import ScoringMethod, TieBreak
from ledger.database.models import Season
from ledger.database.scope import Built, ScopedSession
from ledger.services.club.clubs import NameTaken
from ledger.services.common import names, texts
from ledger.services.common.values import of_row
from ledger.services.common.writing import (
    WriteContext,
    WriteResponse,
    must_be_as_seen,
    tag_of,
    writes,
)
from ledger.words.problems import Conflict, Invalid, Unchanged

FIRST_YEAR, LAST_YEAR = 1900, 2199
MOST_EVENINGS = 1_000
LONGEST_PRIZE = 300


@dataclass(frozen=True, slots=True)
class SeasonView:
    """A season and its rules."""

    id: int
    name: str
    first_day: date
    last_day: date
    game: Annotated[str | None, "The only game whose evenings count; null for all games."]
    method: Annotated[str, "The figure that is added up.", ScoringMethod]
    least_evenings: Annotated[int, "Players with fewer evenings get no place."]
    tie_breaks: Annotated[
        tuple[str, ...],
        "What orders equal totals, the first that differs; otherwise they share a place.",
    ]
    prize: Annotated[str, "Any text; empty without a prize."]
    closed_at: datetime | None

    @property
    def tag(self) -> str:
        """The ETag of this state."""
        return tag_of(self)

    def to_mapping(self) -> dict[str, Any]:
        """Return the season in JSON values."""
        days = {"first_day": self.first_day.isoformat(), "last_day": self.last_day.isoformat()}
        closed_at = self.closed_at and self.closed_at.isoformat()
        return {**asdict(self), **days, "tie_breaks": [*self.tie_breaks], "closed_at": closed_at}

    @classmethod
    def from_mapping(cls, stored: Mapping[str, Any]) -> "SeasonView":
        """Build from the mapping that ``to_mapping`` returned."""
        days = {name: date.fromisoformat(stored[name]) for name in ("first_day", "last_day")}
        closed_at = stored["closed_at"] and datetime.fromisoformat(stored["closed_at"])
        breaks = tuple(stored["tie_breaks"])
        return cls(**{**stored, **days, "tie_breaks": breaks, "closed_at": closed_at})


class SeasonClosed(Conflict):
    """Raised when a closed season would be changed, deleted or closed again."""

    sentence = later("“{name}” is closed; reopen it first.")


def _of_columns(*row: Any) -> SeasonView:
    values = dict(zip(SeasonView.__dataclass_fields__, row, strict=True))
    return SeasonView(**{**values, "tie_breaks": tuple(values["tie_breaks"])})


_SEASONS = Built(
    _of_columns,
    select(*(getattr(Season, name) for name in SeasonView.__dataclass_fields__)).order_by(
        col(Season.last_day).desc(), col(Season.id).desc()
    ),
)


def list_all(session: ScopedSession) -> list[SeasonView]:
    """Return the club's seasons, the latest first by their last day."""
    return session.ask(_SEASONS)


def show(session: ScopedSession, season_id: int) -> SeasonView:
    """Return a season. Raises ``NotFound``."""
    return view(find(session, season_id))


def view(row: Season) -> SeasonView:
    """Return a season of its row."""
    return of_row(SeasonView, row, tie_breaks=tuple(row.tie_breaks))


def find(session: ScopedSession, season_id: int) -> Season:
    """Return the row of a season. Raises ``NotFound``."""
    return session.one(select(Season).where(Season.id == season_id), "season")


def by_name(session: ScopedSession, name: str, field: str) -> SeasonView:
    """Return the season with this name, however it is spelled.

    Raises ``Invalid`` at ``field`` if there is none. The error lists the names of the club's seasons.
    """
    row = session.exec(select(Season).where(Season.name_key == names.key(name))).one_or_none()
    if row is None:
        raise Invalid.at(
            field,
            "unknown-season",
            say("This club has no season called {name}.", name=name),
            tuple(season.name for season in list_all(session)),
        )
    return view(row)


@writes("create season")
def create(
    tx: WriteContext,
    *,
    name: str,
    first_day: date,
    last_day: date,
    game: str | None = None,
    method: str = ScoringMethod.CHIPS,
    least_evenings: int = 0,
    tie_breaks: Sequence[str] = (),
    prize: str = "",
) -> WriteResponse:
    """Create a season. Raises ``Invalid`` at a field, and ``NameTaken``."""
    rules = _checked(name, first_day, last_day, game, method, least_evenings, tie_breaks, prize)
    _must_be_free(tx.session, rules["name_key"])
    row = Season(**rules)
    tx.session.add(row)
    tx.session.flush()
    return view(row).to_mapping()


@writes("change season")
def change(
    tx: WriteContext,
    season_id: int,
    *,
    name: str,
    first_day: date,
    last_day: date,
    game: str | None = None,
    method: str = ScoringMethod.CHIPS,
    least_evenings: int = 0,
    tie_breaks: Sequence[str] = (),
    prize: str = "",
) -> WriteResponse:
    """Replace a season's name and rules.

    Raises ``NotFound``, ``Stale``, ``SeasonClosed``, ``Unchanged``, and as ``create`` does.
    """
    row = open_row(tx, season_id)
    rules = _checked(name, first_day, last_day, game, method, least_evenings, tie_breaks, prize)
    if all(getattr(row, key) == value for key, value in rules.items()):
        raise Unchanged
    if rules["name_key"] != row.name_key:
        _must_be_free(tx.session, rules["name_key"])
    for key, value in rules.items():
        setattr(row, key, value)
    return view(row).to_mapping()


@writes("reopen season")
def reopen(tx: WriteContext, season_id: int) -> WriteResponse:
    """Reopen a closed season, and forget its stored table.

    Raises ``NotFound``, ``Stale``, and ``Unchanged`` if it is open.
    """
    row = seen_row(tx, season_id)
    if row.closed_at is None:
        raise Unchanged
    row.closed_at = row.closing = None
    return view(row).to_mapping()


@writes("delete season")
def delete(tx: WriteContext, season_id: int) -> WriteResponse:
    """Delete a season; its evenings stay.

    Return it as it was. Raises ``NotFound``, ``Stale`` and ``SeasonClosed``.
    """
    row = open_row(tx, season_id)
    before = view(row).to_mapping()
    tx.session.delete(row)
    return before


def open_row(tx: WriteContext, season_id: int) -> Season:
    """Return the row of an open season, as its writer has seen it.

    Raises ``NotFound``, ``Stale`` and ``SeasonClosed``.
    """
    row = seen_row(tx, season_id)
    if row.closed_at is not None:
        raise SeasonClosed(name=row.name)
    return row


def seen_row(tx: WriteContext, season_id: int) -> Season:
    """Return the row of a season. Raises ``NotFound``, and ``Stale`` if its writer saw another state."""
    row = find(tx.session, season_id)
    must_be_as_seen(lambda: view(row), tx.seen, say("The season {name}", name=row.name))
    return row


def _must_be_free(session: ScopedSession, name_key: str) -> None:
    """Raise ``NameTaken`` with the existing spelling."""
    existing = session.exec(select(Season.name).where(Season.name_key == name_key)).first()
    if existing is not None:
        sentence = later("There is already a season called “{name}”; choose another name.")
        raise NameTaken(say(sentence, name=existing))


def _checked(
    name: str,
    first_day: date,
    last_day: date,
    game: str | None,
    method: str,
    least_evenings: int,
    tie_breaks: Sequence[str],
    prize: str,
) -> dict[str, Any]:
    """Return the columns of a season with these rules. Raises ``Invalid`` at a field."""
    name = names.clean(name, "name", say("The season's name"))
    for field, day in (("first_day", first_day), ("last_day", last_day)):
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            between = {"first": str(FIRST_YEAR), "last": str(LAST_YEAR)}
            sentence = say("The year of a season is from {first} to {last}.", **between)
            raise Invalid.at(field, "out-of-range", sentence)
    if first_day > last_day:
        sentence = say("The last day is before the first; exchange them.")
        raise Invalid.at("last_day", "out-of-range", sentence)
    if game is not None:
        _must_be_among("game", [game], [*GAMES])
    _must_be_among("method", [method], [*ScoringMethod])
    if method == ScoringMethod.MONEY and game is not None and GAMES[game].unit == SCORE:
        sentence = say(
            "{game:term} is played for a score, never for money; choose another way of counting.",
            game=GAMES[game].title,
        )
        raise Invalid.at("method", "out-of-range", sentence)
    _must_be_among("tie_breaks", tie_breaks, [*TieBreak])
    if len({*tie_breaks}) < len(tie_breaks):
        raise Invalid.at("tie_breaks", "out-of-range", say("Name each tie-break once."))
    if not 0 <= least_evenings <= MOST_EVENINGS:
        sentence = say("Write a number of evenings from 0 to {most:,}.", most=MOST_EVENINGS)
        raise Invalid.at("least_evenings", "out-of-range", sentence)
    return {
        "name": name,
        "name_key": names.key(name),
        "first_day": first_day,
        "last_day": last_day,
        "game": game,
        "method": str(method),
        "least_evenings": least_evenings,
        "tie_breaks": [*map(str, tie_breaks)],
        "prize": texts.one_line(prize, "prize", say("The prize"), LONGEST_PRIZE, "note"),
    }


def _must_be_among(field: str, chosen: Sequence[str], choices: Sequence[str]) -> None:
    """Raise ``Invalid`` at ``field`` if one that is chosen is not among the choices."""
    if not {*chosen} <= {*choices}:
        sentence = say("Choose {names:or}.", names=[*choices])
        raise Invalid.at(field, "out-of-range", sentence, tuple(choices))
