"""Statistics of a player, computed from stored sums without reading hands.

Amounts are chips won (or, negative, lost) in standing hands. Scores, which nobody pays, have separate sums.
Adjustments for counted chips are not included.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import date
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from sqlmodel import bindparam, col, select

from engine import games
from engine.record import PASS
from engine.rules.sheet import CHIPS, SCORE
from ledger.database.models import Hand, Player, PlayerResult, PlayerTally, PlaySession, Side
from ledger.database.scope import ScopedSession
from ledger.services.money import statements
from ledger.services.money.statements import StatementLine
from ledger.services.reads import sessions as evenings
from ledger.services.reads.sessions import OwnEvening

_UNIT = "`chips`, or `score` for points that nobody pays."


@dataclass(frozen=True, slots=True)
class Record:
    """The numbers of hands and of outcomes. ``won`` and ``lost`` are the contract's."""

    hands: int = 0
    won: Annotated[int, "Contracts that were made, whichever side the player was on."] = 0
    lost: int = 0
    tied: int = 0
    total: Annotated[
        int, "What the player won by it, in chips; in a game of scores, in points."
    ] = 0

    @property
    def average(self) -> Fraction:
        """Chips or points per hand, exactly; 0 without hands."""
        return Fraction(self.total, self.hands) if self.hands else Fraction(0)

    @classmethod
    def of(cls, tallies: Iterable[PlayerTally]) -> "Record":
        """Return the sum of tallies."""
        rows = list(tallies)
        return cls(*(sum(getattr(row, item.name) for row in rows) for item in fields(cls)))


@dataclass(frozen=True, slots=True)
class ContractRecord:
    """A player's record as the bidder of one contract."""

    game: str
    game_title: str
    bid: Annotated[str, "A bid's slug."]
    record: Record


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A player's record in one game, as a whole and by side."""

    game: str
    title: str
    played: Record
    as_bidder: Record
    as_partner: Record
    as_opponent: Record
    unit: Annotated[str, _UNIT] = CHIPS


@dataclass(frozen=True, slots=True)
class Extreme:
    """A best or worst hand: its amount and its place."""

    amount: Annotated[int, "The amount won or, if negative, lost."]
    session_id: int
    session_title: str
    played_on: date
    hand: Annotated[int, "Its number in the session."]
    unit: Annotated[str, _UNIT] = CHIPS


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A player's statistics. ``evenings`` and ``money`` are the ``LATEST``, newest first."""

    id: int
    name: str
    played: Annotated[Record, "For chips, without the hands they sat out."]
    sat_out: Annotated[Record, "For chips."]
    as_bidder: Annotated[Record, "For chips."]
    scored: Annotated[Record, "The hands played for scores; the total is in points."]
    scored_as_bidder: Annotated[Record, "Of these, the hands they bid."]
    games: tuple[GameRecord, ...]
    contracts: Annotated[tuple[ContractRecord, ...], "As the bidder, by game."]
    best: Annotated[Extreme | None, "In chips; where none were played for, in points."]
    worst: Extreme | None
    best_scored: Annotated[Extreme | None, "The best hand played for a score."]
    worst_scored: Extreme | None
    sessions: Annotated[int, "The number of evenings attended."]
    evenings: tuple[OwnEvening, ...]
    money: tuple[StatementLine, ...]


class GameInfo(NamedTuple):
    """A game's title and unit."""

    title: str
    unit: str


def game_info(game: str) -> GameInfo:
    """Return a game's title and unit; an unknown game has its slug as title, and chips."""
    sheet = games.GAMES.get(game)
    return GameInfo(sheet.title, sheet.unit) if sheet else GameInfo(game, CHIPS)


LATEST = 20
"""The number of evenings and money changes in statistics; the player's other pages list all."""

_TALLIES = select(PlayerTally).where(
    PlayerTally.player_id == bindparam("who"), PlayerTally.hands > 0
)
_OF_PLAYER = (PlayerResult.player_id == bindparam("who"), PlayerResult.unit == bindparam("unit"))
_AMOUNTS = select(PlayerResult.amount).where(*_OF_PLAYER).limit(1)
_BEST = _AMOUNTS.order_by(col(PlayerResult.amount).desc())
_WORST = _AMOUNTS.order_by(col(PlayerResult.amount))
_FIRST_OF = (
    select(Hand.number, PlaySession)
    .join(PlayerResult, col(PlayerResult.hand_id) == Hand.id)
    .join(PlaySession, col(PlaySession.id) == Hand.session_id)
    .where(*_OF_PLAYER, PlayerResult.amount == bindparam("amount"))
    .order_by(col(PlayerResult.hand_id))
    .limit(1)
)


def of_player(session: ScopedSession, player_id: int) -> PlayerStats:
    """Return a player's statistics. Raises ``NotFound``."""
    player = session.one(select(Player).where(Player.id == player_id), "player")
    tallies = session.exec(_TALLIES, params={"who": player_id}).all()
    paid = [row for row in tallies if game_info(row.game).unit == CHIPS]
    scored = [row for row in tallies if row not in paid and row.side != Side.IDLE]
    unit = SCORE if scored and not paid else CHIPS
    latest, sessions = evenings.of_player(session, player_id, limit=LATEST)
    return PlayerStats(
        id=player.id,
        name=player.name,
        played=Record.of(row for row in paid if row.side != Side.IDLE),
        sat_out=Record.of(row for row in paid if row.side == Side.IDLE),
        as_bidder=Record.of(row for row in paid if row.side == Side.BIDDER),
        scored=Record.of(scored),
        scored_as_bidder=Record.of(row for row in scored if row.side == Side.BIDDER),
        games=tuple(_games(tallies)),
        contracts=tuple(_contracts(tallies)),
        best=_extreme(session, player_id, unit, _BEST),
        worst=_extreme(session, player_id, unit, _WORST),
        best_scored=_extreme(session, player_id, SCORE, _BEST),
        worst_scored=_extreme(session, player_id, SCORE, _WORST),
        sessions=sessions,
        evenings=tuple(latest),
        money=tuple(statements.latest(session, player_id, LATEST)),
    )


def _games(tallies: Sequence[PlayerTally]) -> Iterable[GameRecord]:
    for game in dict.fromkeys(row.game for row in tallies):
        rows = [row for row in tallies if row.game == game]
        info = game_info(game)
        yield GameRecord(
            game,
            info.title,
            Record.of(row for row in rows if row.side != Side.IDLE),
            Record.of(row for row in rows if row.side == Side.BIDDER),
            Record.of(row for row in rows if row.side == Side.PARTNER),
            Record.of(row for row in rows if row.side == Side.OPPONENT),
            info.unit,
        )


def _contracts(tallies: Sequence[PlayerTally]) -> Iterable[ContractRecord]:
    """Yield the contracts a player bid, without passes, the most frequent of each game first."""
    bid = [row for row in tallies if row.side == Side.BIDDER and row.bid != PASS]
    for row in sorted(bid, key=lambda row: (row.game, -row.hands, row.bid)):
        yield ContractRecord(row.game, game_info(row.game).title, row.bid, Record.of([row]))


def _extreme(session: ScopedSession, player_id: int, unit: str, query: Any) -> Extreme | None:
    """Return the hand with a player's best or worst amount, or None; of equal ones the first recorded."""
    amount = session.exec(query, params={"who": player_id, "unit": unit}).first()
    return None if amount is None else first_hand(session, player_id, unit, amount)


def first_hand(session: ScopedSession, player_id: int, unit: str, amount: int) -> Extreme:
    """Return the first hand with this amount for a player; there must be one."""
    parameters = {"who": player_id, "unit": unit, "amount": amount}
    number, row = session.exec(_FIRST_OF, params=parameters).one()
    return Extreme(amount, row.id, row.title, row.started_on, number, unit)
