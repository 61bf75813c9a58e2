"""A player's stored sums: hands by game, bid and side, evenings attended, chips, scores and money.

One statement reads them, however many hands the player played.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlmodel import and_, bindparam, col, func, select

from engine import games
from engine.rules.sheet import CHIPS, SCORE
from ledger.database.models import (
    Account,
    AccountKind,
    Club,
    Player,
    PlayerTally,
    PlaySession,
    Seat,
)
from ledger.database.models.play import LISTED
from ledger.database.scope import Built, ScopedSession, missing


class GameInfo(NamedTuple):
    """A game's title and unit."""

    title: str
    unit: str


def game_info(game: str) -> GameInfo:
    """Return a game's title and unit; for an unknown game its slug and chips."""
    sheet = games.GAMES.get(game)
    return GameInfo(sheet.title, sheet.unit) if sheet else GameInfo(game, CHIPS)


class TallyRow(NamedTuple):
    """A player's hands in one game with one bid on one side, and the ``total`` won in the game's unit."""

    game: str
    bid: str
    side: str
    hands: int
    won: int
    lost: int
    tied: int
    total: int

    @property
    def on_paper(self) -> int:
        """The part of ``total`` from evenings scored on paper, which have no hands."""
        return 0 if self.hands else self.total

    @property
    def unit(self) -> str:
        """The unit of ``total``."""
        return game_info(self.game).unit


@dataclass(frozen=True, slots=True)
class PlayerSums:
    """A player's stored sums over all evenings.

    Attributes:
        name: Their name.
        evenings: The number of evenings attended, without deleted ones.
        by_other_entries: The chips won by entries other than hands.
        currency: The club's currency.
        account_id: Their money account in this currency, or None.
        balance: Its balance, in minor units.
        tallies: The sums by game, bid and side, without those without hands.
    """

    name: str
    evenings: int
    by_other_entries: int
    currency: str
    account_id: int | None
    balance: int
    tallies: tuple[TallyRow, ...]

    @property
    def chips(self) -> int:
        """All chips won or, if negative, lost, by hands and other entries."""
        return self.by_other_entries + sum(row.total for row in self.tallies if row.unit == CHIPS)

    @property
    def points(self) -> int:
        """The sum of scores in games that nobody pays for."""
        return sum(row.total for row in self.tallies if row.unit == SCORE)


_ATTENDED = (
    select(func.count(func.distinct(Seat.session_id)))
    .join(PlaySession, col(PlaySession.id) == Seat.session_id)
    .where(Seat.player_id == bindparam("who"), LISTED)
    .scalar_subquery()
)
_COLUMNS: tuple[Any, ...] = (
    Player.name,
    _ATTENDED,
    Player.by_other_entries,
    Club.currency,
    Account.id,
    func.coalesce(Account.balance, 0),
    *(getattr(PlayerTally, name) for name in TallyRow._fields),
)
_SUMS: Built[tuple[Any, ...]] = Built(
    lambda *row: row,
    select(*_COLUMNS)
    .select_from(Player)
    .join(Club, col(Club.id) == Player.club_id)
    .outerjoin(
        Account,
        and_(
            col(Account.player_id) == Player.id,
            col(Account.kind) == AccountKind.PLAYER.value,
            col(Account.unit) == Club.currency,
        ),
    )
    .outerjoin(
        PlayerTally, and_(col(PlayerTally.player_id) == Player.id, col(PlayerTally.hands) > 0)
    )
    .where(Player.id == bindparam("who")),
)


def player_sums(session: ScopedSession, player_id: int) -> PlayerSums:
    """Return a player's stored sums over all evenings. Raises ``NotFound``."""
    rows = session.ask(_SUMS, who=player_id)
    if not rows:
        raise missing("player")
    tallies = tuple(TallyRow(*row[6:]) for row in rows if row[6] is not None)
    name, evenings, other, currency, account_id, balance = rows[0][:6]
    return PlayerSums(name, evenings, other, currency, account_id, balance, tallies)
