"""Statistics of a player, computed from tallies: stored ones without reading hands, or those of a period.

Amounts are chips won (or, negative, lost) in standing hands. Scores, which nobody pays, have separate sums.
Adjustments for counted chips are not included.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from fractions import Fraction
from typing import Annotated, Any

from sqlalchemy import BindParameter
from sqlmodel import asc, bindparam, col, desc, or_, select

from engine.record import PASS
from engine.rules.sheet import CHIPS, SCORE
from ledger.database.models import Hand, PlayerResult, PlaySession, Side
from ledger.database.scope import Built, ScopedSession
from ledger.services.money import statements
from ledger.services.money.statements import StatementLine
from ledger.services.reads import sessions as evenings
from ledger.services.reads import tallies
from ledger.services.reads.player_sums import PlayerSums, TallyRow, game_info, player_sums
from ledger.services.reads.sessions import OwnEvening
from ledger.services.reads.tallies import NamedTally
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter

UNIT = "`chips`, or `score` for points that nobody pays."


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
    on_paper: Annotated[int, "The part of the total from evenings scored on paper."] = 0

    @property
    def average(self) -> Fraction:
        """Chips or points per hand, exactly, without evenings on paper; 0 without hands."""
        return Fraction(self.total - self.on_paper, self.hands) if self.hands else Fraction(0)

    @classmethod
    def of(cls, tallies: Iterable[TallyRow]) -> "Record":
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
    unit: Annotated[str, UNIT] = CHIPS


@dataclass(frozen=True, slots=True)
class Extreme:
    """A best or worst hand: its amount and its place."""

    amount: Annotated[int, "The amount won or, if negative, lost."]
    session_id: int
    session_title: str
    played_on: date
    hand: Annotated[int, "Its number in the session."]
    unit: Annotated[str, UNIT] = CHIPS


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
    currency: Annotated[str, "The club's currency."]
    owed: Annotated[int, "The balance of their money account, in minor units of it."]
    money: tuple[StatementLine, ...]


LATEST = 20
"""The number of evenings and money changes in statistics; the player's other pages list all."""


def _extreme_of(unit: str, order: Callable[[Any], Any]) -> Any:
    """Return a subquery for a player's first result with their highest or lowest amount in a unit."""
    mine = (PlayerResult.player_id == bindparam("who"), PlayerResult.unit == unit)
    amount = select(PlayerResult.amount).where(*mine).order_by(order(PlayerResult.amount)).limit(1)
    first = select(PlayerResult.id).where(*mine, PlayerResult.amount == amount.scalar_subquery())
    return first.order_by(col(PlayerResult.hand_id)).limit(1).scalar_subquery()


_EXTREME: tuple[Any, ...] = (
    PlayerResult.amount,
    PlaySession.id,
    PlaySession.title,
    PlaySession.started_on,
    Hand.number,
    PlayerResult.unit,
)
_OF_HAND = (
    select(*_EXTREME)
    .join(Hand, col(Hand.id) == PlayerResult.hand_id)
    .join(PlaySession, col(PlaySession.id) == Hand.session_id)
)
_EXTREMES = Built(
    Extreme,
    _OF_HAND.where(
        or_(
            *(
                col(PlayerResult.id) == _extreme_of(unit, order)
                for unit in (CHIPS, SCORE)
                for order in (asc, desc)
            )
        )
    ),
)
"""A player's hands with the highest and lowest amounts; one row if all amounts in a unit are equal."""
_game: BindParameter[str] = bindparam("game")
_FIRST_OF = Built(
    Extreme,
    _OF_HAND.where(
        PlayerResult.player_id == bindparam("who"),
        PlayerResult.unit == bindparam("unit"),
        PlayerResult.amount == bindparam("amount"),
        or_(_game == "", PlayerResult.game == _game),
        *tallies.IN_PERIOD,
    )
    .order_by(col(PlayerResult.hand_id))
    .limit(1),
)


def of_player(
    session: ScopedSession, player_id: int, chosen: SessionFilter = EVERY_SESSION
) -> PlayerStats:
    """Return a player's statistics. Raises ``NotFound``.

    A filter limits hands to a period and a game, evenings to the period; the running totals and money are
    always those of all evenings.
    """
    sums = player_sums(session, player_id)
    if chosen.is_empty:
        paper = (row.row for row in tallies.on_paper(session, chosen) if row.player_id == player_id)
        rows, sessions = (*sums.tallies, *paper), sums.evenings
        extremes = session.ask(_EXTREMES, who=player_id)
    else:
        mine = replace(chosen, player=sums.name)
        named = tallies.of_club(session, mine)
        rows, sessions = (
            tuple(tally.row for tally in named),
            replace(mine, game=None).count(session),
        )
        extremes = list(_extremes_among(session, player_id, named, chosen))
    paid = [row for row in rows if row.unit == CHIPS]
    scored = [row for row in rows if row.unit == SCORE and row.side != Side.IDLE]
    best, worst = _best_and_worst(extremes, SCORE if scored and not paid else CHIPS)
    best_scored, worst_scored = _best_and_worst(extremes, SCORE)
    return PlayerStats(
        id=player_id,
        name=sums.name,
        played=Record.of(row for row in paid if row.side != Side.IDLE),
        sat_out=Record.of(row for row in paid if row.side == Side.IDLE),
        as_bidder=Record.of(row for row in paid if row.side == Side.BIDDER),
        scored=Record.of(scored),
        scored_as_bidder=Record.of(row for row in scored if row.side == Side.BIDDER),
        games=tuple(_games(rows)),
        contracts=tuple(_contracts(rows)),
        best=best,
        worst=worst,
        best_scored=best_scored,
        worst_scored=worst_scored,
        sessions=sessions,
        evenings=tuple(evenings.own_evenings(session, player_id, sums, chosen.days, limit=LATEST)),
        currency=sums.currency,
        owed=sums.balance,
        money=_money(session, sums),
    )


def _money(session: ScopedSession, sums: PlayerSums) -> tuple[StatementLine, ...]:
    """Return the latest changes of a player's money; empty without a money account."""
    if sums.account_id is None:
        return ()
    account = (sums.account_id, sums.balance, sums.currency)
    return tuple(statements.latest(session, *account, LATEST))


def _games(tallies: Sequence[TallyRow]) -> Iterable[GameRecord]:
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


def _contracts(tallies: Sequence[TallyRow]) -> Iterable[ContractRecord]:
    """Yield the contracts a player bid, without passes, the most frequent of each game first."""
    bid = [row for row in tallies if row.side == Side.BIDDER and row.bid != PASS]
    for row in sorted(bid, key=lambda row: (row.game, -row.hands, row.bid)):
        yield ContractRecord(row.game, game_info(row.game).title, row.bid, Record.of([row]))


def _best_and_worst(
    extremes: Sequence[Extreme], unit: str
) -> tuple[Extreme, Extreme] | tuple[None, None]:
    """Return a player's best and worst hand in a unit, or twice None."""
    hands = sorted((each for each in extremes if each.unit == unit), key=lambda each: each.amount)
    return (hands[-1], hands[0]) if hands else (None, None)


def _extremes_among(
    session: ScopedSession, player_id: int, named: Sequence[NamedTally], chosen: SessionFilter
) -> Iterable[Extreme]:
    """Yield a player's best and worst hand in each unit, among those of their tallies."""
    for unit in (CHIPS, SCORE):
        for amounts in tallies.extremes(session, named, unit, chosen).values():
            for amount in amounts:
                yield first_hand(session, player_id, unit, amount, chosen)


def first_hand(
    session: ScopedSession, player_id: int, unit: str, amount: int, chosen: SessionFilter
) -> Extreme:
    """Return the first hand with this amount for a player, in a period and a game; there must be one."""
    at = {"who": player_id, "unit": unit, "amount": amount, "game": chosen.game or ""}
    (hand,) = session.ask(_FIRST_OF, **at, **tallies.days(chosen))
    return hand
