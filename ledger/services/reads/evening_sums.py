"""Everybody's sums of each evening, oldest first: of all games from its seats, or of one from its results.

The sums from seats include chips moved without a hand, as the lists of evenings do. An evening on paper has
no results of hands: it counts for its game by its seats.
"""

from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from typing import Any

from sqlalchemy import BindParameter
from sqlmodel import bindparam, col, func, select

from engine.rules.sheet import CHIPS
from ledger.database.models import Account, Hand, PlayerResult, PlaySession, Seat
from ledger.database.models.play import LISTED, ON_PAPER, WON_IN_CHIPS
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.reads import tallies
from ledger.services.reads.player_sums import game_info
from ledger.services.session.session_filter import SessionFilter

EVERY_EVENING = 2**31 - 1
"""A number that no club's evenings reach."""


@dataclass(frozen=True, slots=True)
class EveningSums:
    """What each player won in an evening, by player id: in chips, and in points that nobody pays."""

    session_id: int
    started_on: date
    title: str
    chips: dict[int, int] = field(default_factory=dict)
    scored: dict[int, int] = field(default_factory=dict)

    @property
    def decisive(self) -> dict[int, int]:
        """The sums that rank the evening: the chips, or the scores if no chip was won."""
        return self.chips if any(self.chips.values()) else self.scored


_EVENING: tuple[Any, ...] = (PlaySession.id, PlaySession.started_on, PlaySession.title)
_IN_ORDER = (col(PlaySession.started_on), col(PlaySession.id))
_EVENINGS = Built(
    EveningSums, select(*_EVENING).where(LISTED, *tallies.IN_PERIOD).order_by(*_IN_ORDER)
)
_OF_SEATS: Built[tuple[Any, ...]] = Built(
    lambda *row: row,
    select(col(PlaySession.id), col(Seat.player_id), WON_IN_CHIPS, col(Seat.scored))
    .select_from(PlaySession)
    .join(Seat, col(Seat.session_id) == PlaySession.id)
    .join(Account, col(Account.seat_id) == Seat.id)
    .where(LISTED, *tallies.IN_PERIOD),
)
"""The title and day of an evening are read once, not with each of its seats."""
_game: BindParameter[str] = bindparam("game")
_LATEST = (
    select(PlaySession.id)
    .where(*tallies.IN_PERIOD)
    .where(
        select(PlayerResult.id)
        .join(Hand, col(Hand.id) == PlayerResult.hand_id)
        .where(Hand.session_id == PlaySession.id, PlayerResult.game == _game)
        .correlate(PlaySession)
        .exists()
    )
    .order_by(*(column.desc() for column in _IN_ORDER))
    .limit(bindparam("most"))
)
_OF_GAME: Built[tuple[Any, ...]] = Built(
    lambda *row: row,
    select(*_EVENING)
    .add_columns(col(PlayerResult.player_id), func.sum(PlayerResult.amount))
    .select_from(PlaySession)
    .join(Hand, col(Hand.session_id) == PlaySession.id)
    .join(PlayerResult, col(PlayerResult.hand_id) == Hand.id)
    .where(col(PlaySession.id).in_(_LATEST), PlayerResult.game == _game)
    .group_by(*_EVENING, PlayerResult.player_id),
)
_ON_PAPER: Built[tuple[Any, ...]] = Built(
    lambda *row: row,
    select(*_EVENING)
    .add_columns(col(Seat.player_id), WON_IN_CHIPS)
    .select_from(PlaySession)
    .join(Seat, col(Seat.session_id) == PlaySession.id)
    .join(Account, col(Account.seat_id) == Seat.id)
    .where(ON_PAPER, LISTED, *tallies.IN_PERIOD, PlaySession.game == _game),
)


@asked_once
def of_period(session: ScopedSession, chosen: SessionFilter) -> list[EveningSums]:
    """Return the sums of the evenings of a period: of one game's hands, or else of all games together."""
    if chosen.game:
        return of_game(session, chosen.game, chosen)
    return of_all_games(session, chosen)


def of_all_games(session: ScopedSession, chosen: SessionFilter) -> list[EveningSums]:
    """Return the sums of the evenings of a period, of all games together."""
    evenings = {each.session_id: each for each in session.ask(_EVENINGS, **tallies.days(chosen))}
    for session_id, player_id, chips, scored in session.ask(_OF_SEATS, **tallies.days(chosen)):
        sums = evenings[session_id]
        # A player who came back has several seats.
        sums.chips[player_id] = sums.chips.get(player_id, 0) + chips
        sums.scored[player_id] = sums.scored.get(player_id, 0) + scored
    return list(evenings.values())


def of_game(
    session: ScopedSession, game: str, chosen: SessionFilter, most: int = EVERY_EVENING
) -> list[EveningSums]:
    """Return the sums of one game, of the latest evenings of a period with hands of it or scored on paper.

    Args:
        session: The session to read with.
        game: The game's slug.
        chosen: The period; nothing else of it is used.
        most: The largest number of evenings.
    """
    where = {"game": game, **tallies.days(chosen)}
    rows = [*session.ask(_OF_GAME, most=most, **where), *session.ask(_ON_PAPER, **where)]
    in_chips = game_info(game).unit == CHIPS
    evenings: dict[int, EveningSums] = {}
    for session_id, started_on, title, player_id, total in rows:
        sums = evenings.setdefault(session_id, EveningSums(session_id, started_on, title))
        # PostgreSQL's sums are decimals.
        sums.chips[player_id] = int(total) if in_chips else 0
        sums.scored[player_id] = 0 if in_chips else int(total)
    in_order = sorted(evenings.values(), key=attrgetter("started_on", "session_id"))
    return in_order[-most:]
