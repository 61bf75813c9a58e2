"""Many evenings: those of a club, and those of a player, newest first and a page at a time.

Read from sessions, seats, accounts and the few other entries; no hand is read, so a page costs
the same however many hands were dealt. What somebody won is their chips less what the bank gave; the
money an evening came to is what its conversion and the cash-outs put on the players' accounts.

An evening is played for chips or for scores, which nobody pays: its ``unit``. The two are never added up.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from sqlalchemy import BindParameter
from sqlalchemy.orm import aliased
from sqlmodel import bindparam, case, col, func, or_, select

from engine import games
from engine.rules.sheet import CHIPS, SCORE
from ledger.entry_kinds import kinds
from ledger.models import (
    Account,
    AccountKind,
    Club,
    JournalEntry,
    Player,
    PlaySession,
    Posting,
    Seat,
    SessionState,
)
from ledger.models.play import LISTED
from ledger.scope import ScopedSession
from ledger.services.common.values import of_row

_UNIT = "`chips`, or `score` for an evening of points that nobody pays, as German Solo's are."


@dataclass(frozen=True, slots=True)
class Sitting:
    """What one player won (or, negative, lost) in an evening: in its unit, and the money it came to.

    ``unpaid`` of these chips have not become money.
    """

    player: str
    won: Annotated[int, "In the evening's unit; negative if lost."]
    money: Annotated[int, "What it came to in money, in minor units; 0 if it did not."]
    unpaid: int = 0


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening of the club; ``for_money``: it has a rate."""

    session_id: int
    title: str
    started_on: date
    game: Annotated[str, "The last game played."]
    variant: str | None
    state: Annotated[str, "`open`, `paused` or `closed`."]
    hands: Annotated[int, "Including void ones."]
    currency: Annotated[str, "The currency of the money."]
    seats: Annotated[tuple[Sitting, ...], "Everybody who was seated, best first."]
    for_money: bool = False
    unit: Annotated[str, _UNIT] = CHIPS

    @property
    def game_title(self) -> str:
        """What the game is called, with its variant where it has some."""
        sheet = games.find(self.game)
        variant = sheet.variant(self.variant)
        return f"{sheet.title}, {variant.title}" if variant else sheet.title

    @property
    def winners(self) -> tuple[str, ...]:
        """Who won most; nobody if all are even."""
        most = max((seat.won for seat in self.seats), default=0)
        if all(seat.won == most for seat in self.seats):
            return ()
        return tuple(seat.player for seat in self.seats if seat.won == most)

    @property
    def came_to_money(self) -> bool:
        """Whether any money moved."""
        return any(seat.money for seat in self.seats)

    @property
    def unconverted(self) -> bool:
        """Whether it is over, or came to some money, with chips worth money that are not cashed in yet."""
        over = self.state == SessionState.CLOSED or self.came_to_money
        return over and self.for_money and any(seat.unpaid for seat in self.seats)


@dataclass(frozen=True, slots=True)
class OwnEvening:
    """What a player won in one evening."""

    session_id: int
    title: str
    started_on: date
    won: Annotated[int, "In the evening's unit."]
    total: Annotated[int, "The running total of all their evenings in this unit."]
    money: Annotated[int, "What it came to in money, in minor units; 0 if it did not."]
    unit: Annotated[str, _UNIT] = CHIPS


_OF_MONEY = kinds(lambda kind: AccountKind.PLAYER in kind.moves)

_NET = col(Account.balance) - col(Seat.advanced)
_UNPAID = func.sum(_NET - col(Seat.converted))
_NEWEST = (col(PlaySession.started_on).desc(), col(PlaySession.id).desc())
_world = aliased(Account)
_SCORED = or_(
    col(PlaySession.game).in_([slug for slug, game in games.GAMES.items() if game.unit == SCORE]),
    select(_world.id)
    .where(col(_world.session_id) == PlaySession.id, col(_world.kind) == AccountKind.WORLD.value)
    .where(col(_world.balance) != 0)
    .correlate(PlaySession)
    .exists(),
)
UNIT = case((_SCORED, SCORE), else_=CHIPS)
"""The unit of an evening: scores where its game has them, or scores stand in it that nobody paid."""

_OF_CLUB = (
    select(PlaySession, UNIT)
    .where(LISTED)
    .order_by(*_NEWEST)
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)
_THESE: BindParameter[Sequence[int]] = bindparam("sessions", expanding=True)
_SITTINGS = (
    select(Seat.session_id, Player, func.sum(_NET), _UNPAID)
    .join(Player, col(Player.id) == Seat.player_id)
    .join(Account, col(Account.seat_id) == Seat.id)
    .where(col(Seat.session_id).in_(_THESE))
    .group_by(col(Seat.session_id), col(Player.id))
    .order_by(func.sum(_NET).desc(), func.min(Seat.position), col(Player.id))
)
_MONEY = (
    select(JournalEntry.session_id, Account.player_id, func.sum(Posting.amount))
    .join(Posting, col(Posting.entry_id) == JournalEntry.id)
    .join(Account, col(Account.id) == Posting.account_id)
    .where(col(JournalEntry.session_id).in_(_THESE), col(JournalEntry.hand_id).is_(None))
    .where(col(JournalEntry.kind).in_(_OF_MONEY))
    .where(Account.kind == AccountKind.PLAYER.value)
    .group_by(col(JournalEntry.session_id), col(Account.player_id))
)
_MINE = (Seat.session_id == PlaySession.id, Seat.player_id == bindparam("who"))
# The planner walks the club's evenings, newest first, and asks the seats' index at each: it stops early.
_OF_PLAYER = (
    select(
        PlaySession,
        select(func.sum(_NET))
        .select_from(Seat)
        .join(Account, col(Account.seat_id) == Seat.id)
        .where(*_MINE)
        .scalar_subquery(),
        UNIT,
    )
    .where(select(Seat.id).where(*_MINE).exists(), LISTED)
    .order_by(*_NEWEST)
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)
_ALL_OF_PLAYER = (
    select(UNIT, func.count(func.distinct(Seat.session_id)), func.sum(_NET))
    .select_from(Seat)
    .join(Account, col(Account.seat_id) == Seat.id)
    .join(PlaySession, col(PlaySession.id) == Seat.session_id)
    .where(Seat.player_id == bindparam("who"), LISTED)
    .group_by(UNIT)
)


def of_club(session: ScopedSession, *, offset: int = 0, limit: int = 20) -> list[Evening]:
    """Return the club's evenings, newest first: who sat, who won and lost what, and in money."""
    rows = session.exec(_OF_CLUB, params={"offset": offset, "limit": limit}).all()
    session_ids = [row.id for row, _ in rows]
    money = money_of(session, session_ids)
    currency = session.exec(select(Club.currency)).one()
    seats: dict[int, list[Sitting]] = defaultdict(list)
    for session_id, player, won, unpaid in session.exec(
        _SITTINGS, params={"sessions": session_ids}
    ):
        paid = money.get((session_id, player.id), 0)
        seats[session_id].append(Sitting(player.name, int(won), paid, int(unpaid)))
    return [
        of_row(
            Evening,
            row,
            session_id=row.id,
            hands=row.hands_dealt,
            currency=currency,
            seats=tuple(seats[row.id]),
            for_money=row.rate_chips is not None,
            unit=unit,
        )
        for row, unit in rows
    ]


def of_player(
    session: ScopedSession, player_id: int, *, offset: int = 0, limit: int = 20
) -> tuple[list[OwnEvening], int]:
    """Return evenings of a player, newest first, and how many there are. Raises ``NotFound``."""
    session.one(select(Player.id).where(Player.id == player_id), "player")
    every = session.exec(_ALL_OF_PLAYER, params={"who": player_id}).all()
    count = sum(evenings for _, evenings, _ in every)
    rows = _own(session, player_id, offset, limit) if offset < count else []
    if not rows:
        return [], count
    by_then = {unit: int(total) for unit, _, total in every}
    for _, won, unit in _own(session, player_id, 0, offset):
        by_then[unit] -= won
    money = money_of(session, [row.id for row, _, _ in rows])
    made = []
    for row, won, unit in rows:
        paid = money.get((row.id, player_id), 0)
        made.append(OwnEvening(row.id, row.title, row.started_on, won, by_then[unit], paid, unit))
        by_then[unit] -= won
    return made, count


def _own(
    session: ScopedSession, player_id: int, offset: int, limit: int
) -> list[tuple[PlaySession, int, str]]:
    """Return sessions a player sat in, newest first, and what they won there, in which unit."""
    if not limit:
        return []
    found = session.exec(_OF_PLAYER, params={"who": player_id, "offset": offset, "limit": limit})
    return [(row, int(won), unit) for row, won, unit in found]


def money_of(session: ScopedSession, session_ids: Sequence[int]) -> dict[tuple[Any, Any], int]:
    """Return the money that came to players in these sessions, by session and player."""
    rows = session.exec(_MONEY, params={"sessions": session_ids})
    return {(session_id, player_id): int(amount) for session_id, player_id, amount in rows}
