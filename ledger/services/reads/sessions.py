"""The evenings of a club and of a player, newest first, in pages.

Read from sessions, seats, accounts and other entries, without hands. Winnings are a player's chips less those
from the bank. An evening's money is the sum of its conversions and cash-outs on the players' accounts. A
running total is the player's stored sum less the winnings of newer evenings.

An evening's ``unit`` is the score if it was played for nothing else, otherwise chips, with scores beside
them. The two are never added up.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Any

from sqlalchemy import BindParameter, Date
from sqlalchemy.orm import aliased
from sqlmodel import and_, bindparam, case, col, func, or_, select

from engine import games
from engine.rules.sheet import CHIPS, SCORE
from engine.words.language import Sentence
from ledger.database.kinds.entries import kinds
from ledger.database.models import (
    Account,
    AccountKind,
    Club,
    Hand,
    HandState,
    JournalEntry,
    Player,
    PlaySession,
    Posting,
    Seat,
    SeatState,
    SessionState,
)
from ledger.database.models.play import LISTED, UNPAID_CHIPS, WON_IN_CHIPS
from ledger.database.scope import Built, ScopedSession
from ledger.services.common.values import of_row
from ledger.services.reads.player_sums import PlayerSums, player_sums
from ledger.services.reads.summary import game_title
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter

_UNIT = "`chips`, or `score` for an evening of points that nobody pays, as German Solo's are."
_SCORED = "Points that nobody pays, in a session played for chips as well or for nothing else."


@dataclass(frozen=True, slots=True)
class Sitting:
    """A player's winnings in an evening, or losses if negative, and the money paid for them.

    ``unpaid`` are the chips that have not become money.
    """

    player: str
    won: Annotated[int, "In the evening's unit; negative if lost."]
    money: Annotated[int, "The money paid for it, in minor units; 0 without any."]
    unpaid: int = 0
    scored: Annotated[int, _SCORED] = 0


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening of the club; one ``for_money`` has a rate."""

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
    on_paper: Annotated[bool, "Whether it was scored on paper: it has a result, but no hands."] = (
        False
    )

    @property
    def game_title(self) -> str:
        """The game's title with its variant, in English."""
        return str(self.game_named)

    @property
    def game_named(self) -> Sentence:
        """The game's title with its variant, as a translatable sentence."""
        sheet = games.find(self.game)
        variant = sheet.variant(self.variant)
        return game_title(sheet.title, variant.title if variant else None)

    @property
    def winners(self) -> tuple[str, ...]:
        """The players who won most, or none if all are even."""
        most = max((seat.won for seat in self.seats), default=0)
        if all(seat.won == most for seat in self.seats):
            return ()
        return tuple(seat.player for seat in self.seats if seat.won == most)

    @property
    def scores_apart(self) -> bool:
        """Whether it has scores beside its chips."""
        return self.unit == CHIPS and any(seat.scored for seat in self.seats)

    @property
    def came_to_money(self) -> bool:
        """Whether any money was paid."""
        return any(seat.money for seat in self.seats)

    @property
    def unconverted(self) -> bool:
        """Whether chips worth money are left, although the session is closed or some became money."""
        return self._is_due and any(seat.unpaid for seat in self.seats)

    @property
    def is_cashed_in(self) -> bool:
        """Whether it was for money, is closed or became money, and has no chips left to cash in."""
        return self._is_due and not self.unconverted

    @property
    def _is_due(self) -> bool:
        """Whether its chips should have become money."""
        return self.for_money and (self.state == SessionState.CLOSED or self.came_to_money)


@dataclass(frozen=True, slots=True)
class OwnEvening:
    """A player's winnings in one evening, with running totals up to it."""

    session_id: int
    title: str
    started_on: date
    won: Annotated[int, "In the evening's unit."]
    total: Annotated[int, "The running total of all their evenings in this unit."]
    money: Annotated[int, "The money paid for it, in minor units; 0 without any."]
    unit: Annotated[str, _UNIT] = CHIPS
    scored: Annotated[int, _SCORED] = 0
    total_scored: Annotated[int, "The running total of these points."] = 0
    on_paper: Annotated[bool, "Whether it was scored on paper: it has a result, but no hands."] = (
        False
    )

    @property
    def in_scores(self) -> bool:
        """Whether it was played for scores or has a score."""
        return self.unit == SCORE or self.scored != 0


_MONEY_KINDS = kinds(lambda kind: AccountKind.PLAYER in kind.moves)

_NEWEST = (col(PlaySession.started_on).desc(), col(PlaySession.id).desc())
_seat, _account = aliased(Seat), aliased(Account)
_IN_CHIPS = or_(
    *(PlaySession.game == slug for slug, game in games.GAMES.items() if game.unit == CHIPS),
    col(PlaySession.rate_chips).is_not(None),
    col(PlaySession.starting_stack) != 0,
    select(_seat.id)
    .join(_account, col(_account.seat_id) == _seat.id)
    .where(col(_seat.session_id) == PlaySession.id)
    .where(
        or_(
            col(_account.balance) != col(_seat.advanced) + col(_seat.scored),
            and_(
                col(_seat.state) != SeatState.LEFT.value,
                col(_seat.advanced) + col(_seat.converted) != 0,
            ),
        )
    )
    .correlate(PlaySession)
    .exists(),
)
_UNIT_OF = case((_IN_CHIPS, CHIPS), else_=SCORE)
"""The unit of an evening, by the same rule as ``SessionView.unit``."""

_OF_CLUB = (
    select(PlaySession, _UNIT_OF)
    .order_by(*_NEWEST)
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)
_THESE: BindParameter[Sequence[int]] = bindparam("sessions", expanding=True)
_sums: tuple[Any, ...] = (WON_IN_CHIPS, UNPAID_CHIPS, Seat.scored)
_SITTINGS = (
    select(Seat.session_id, Player, *map(func.sum, _sums))
    .join(Player, col(Player.id) == Seat.player_id)
    .join(Account, col(Account.seat_id) == Seat.id)
    .where(col(Seat.session_id).in_(_THESE))
    .group_by(col(Seat.session_id), col(Player.club_id), col(Player.id))
    .order_by(
        func.sum(WON_IN_CHIPS).desc(),
        func.sum(Seat.scored).desc(),
        func.min(Seat.position),
        col(Player.id),
    )
)
_MONEY = (
    select(JournalEntry.session_id, Account.player_id, func.sum(Posting.amount))
    .join(Posting, col(Posting.entry_id) == JournalEntry.id)
    .join(Account, col(Account.id) == Posting.account_id)
    .where(col(JournalEntry.session_id).in_(_THESE), col(JournalEntry.hand_id).is_(None))
    .where(col(JournalEntry.kind).in_(_MONEY_KINDS))
    .where(Account.kind == AccountKind.PLAYER.value)
    .group_by(col(JournalEntry.session_id), col(Account.player_id))
)
_MINE = (Seat.session_id == PlaySession.id, Seat.player_id == bindparam("who"))


# The planner reads the club's evenings newest first and looks up the seats' index, so it stops early.
def _sum_of_seats(figure: Any) -> Any:
    """Return a scalar subquery for the sum of a column over a player's seats in the outer query's evening."""
    mine = select(func.sum(figure)).select_from(Seat).where(*_MINE)
    return mine.join(Account, col(Account.seat_id) == Seat.id).scalar_subquery()


_MY_MONEY = (
    select(func.sum(Posting.amount))
    .join(JournalEntry, col(JournalEntry.id) == Posting.entry_id)
    .join(Account, col(Account.id) == Posting.account_id)
    .where(JournalEntry.session_id == PlaySession.id, col(JournalEntry.hand_id).is_(None))
    .where(or_(*(col(JournalEntry.kind) == kind for kind in _MONEY_KINDS)))
    .where(Account.kind == AccountKind.PLAYER.value, Account.player_id == bindparam("who"))
    .correlate(PlaySession)
    .scalar_subquery()
)
_OWN: tuple[Any, ...] = (
    PlaySession.id,
    PlaySession.title,
    PlaySession.started_on,
    _UNIT_OF,
    PlaySession.on_paper,
    _sum_of_seats(WON_IN_CHIPS),
    _sum_of_seats(Seat.scored),
    _MY_MONEY,
)
_MY_EVENINGS = (
    select(*_OWN)
    .where(select(Seat.id).where(*_MINE).exists(), LISTED)
    .order_by(*_NEWEST)
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)


def _own_row(*row: Any) -> tuple[Any, ...]:
    return (*row[:5], *(int(amount or 0) for amount in row[5:]))


_OF_PLAYER = Built(_own_row, _MY_EVENINGS)


def _integers(*sums: Any) -> tuple[int, ...]:
    """Convert the sums of a row to integers; a sum of no rows, None, becomes 0.

    PostgreSQL returns decimals.
    """
    return tuple(int(amount or 0) for amount in sums)


_DAY = bindparam("day", type_=Date)
_NEWER = Built(
    _integers,
    select(func.sum(WON_IN_CHIPS), func.sum(Seat.scored))
    .join(Account, col(Account.seat_id) == Seat.id)
    .join(PlaySession, col(PlaySession.id) == Seat.session_id)
    .where(Seat.player_id == bindparam("who"), LISTED)
    .where(
        or_(
            col(PlaySession.started_on) > _DAY,
            and_(col(PlaySession.started_on) == _DAY, col(PlaySession.id) > bindparam("session")),
        )
    ),
)
"""A player's totals in chips and in scores of the evenings newer than a given one."""


def of_club(
    session: ScopedSession,
    chosen: SessionFilter = EVERY_SESSION,
    *,
    offset: int = 0,
    limit: int = 20,
) -> list[Evening]:
    """Return a page of the club's evenings that match a filter, newest first, without deleted ones."""
    chosen_rows = _OF_CLUB.where(*chosen.of_page(session))
    rows = session.exec(chosen_rows, params={"offset": offset, "limit": limit}).all()
    session_ids = [row.id for row, _ in rows]
    money = money_of(session, session_ids)
    currency = session.exec(select(Club.currency)).one()
    seats: dict[int, list[Sitting]] = defaultdict(list)
    units = {row.id: unit for row, unit in rows}
    sittings: Sequence[Any] = session.exec(_SITTINGS, params={"sessions": session_ids}).all()
    for session_id, player, *sums in sittings:
        chips, unpaid, scored = map(int, sums)
        won, amount = _won(chips, scored, units[session_id]), money.get((session_id, player.id), 0)
        seats[session_id].append(Sitting(player.name, won, amount, unpaid, scored))
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


def void_hands(session: ScopedSession, session_ids: Sequence[int]) -> Mapping[int, int]:
    """Return the number of void hands by session id, without sessions that have none."""
    rows = session.exec(
        select(Hand.session_id, func.count(col(Hand.id)))
        .where(col(Hand.session_id).in_(session_ids), Hand.state == HandState.VOID.value)
        .group_by(col(Hand.session_id))
    )
    return dict(rows.all())


def of_player(
    session: ScopedSession,
    player_id: int,
    chosen: SessionFilter = EVERY_SESSION,
    *,
    offset: int = 0,
    limit: int = 20,
) -> tuple[list[OwnEvening], int]:
    """Return a page of a player's evenings, newest first, and the number of all that match the filter.

    Deleted evenings are left out. ``chosen`` has days only, because the running totals need consecutive
    evenings. Raises ``NotFound``.
    """
    sums = player_sums(session, player_id)
    page = own_evenings(session, player_id, sums, chosen, offset=offset, limit=limit)
    if chosen.is_empty:
        return page, sums.evenings
    return page, replace(chosen, player=sums.name).count(session)


def own_evenings(
    session: ScopedSession,
    player_id: int,
    sums: PlayerSums,
    chosen: SessionFilter = EVERY_SESSION,
    *,
    offset: int = 0,
    limit: int = 20,
) -> list[OwnEvening]:
    """Return the page of a player's evenings that ``of_player`` returns, given the player's ``sums``."""
    span = {"who": player_id, "offset": offset, "limit": limit}
    if chosen.is_empty:
        rows = session.ask(_OF_PLAYER, **span) if offset < sums.evenings else []
    else:
        selected = session.exec(_MY_EVENINGS.where(*chosen.of_page(session)), params=span)
        rows = [_own_row(*row) for row in selected]
    chips, points = sums.chips, sums.points
    if rows and (offset or not chosen.is_empty):
        session_id, _, started_on, *_ = rows[0]
        ((won, scored),) = session.ask(_NEWER, who=player_id, day=started_on, session=session_id)
        chips, points = chips - won, points - scored
    page = []
    for session_id, title, started_on, unit, on_paper, gained, scored, money in rows:
        page.append(
            OwnEvening(
                session_id,
                title,
                started_on,
                _won(gained, scored, unit),
                _won(chips, points, unit),
                money,
                unit,
                scored,
                points,
                on_paper,
            )
        )
        chips, points = chips - gained, points - scored
    return page


def _won(chips: int, scored: int, unit: str) -> int:
    """Return ``scored`` for an evening in scores, else ``chips``."""
    return scored if unit == SCORE else chips


def money_of(session: ScopedSession, session_ids: Sequence[int]) -> dict[tuple[Any, Any], int]:
    """Return the net money paid for chips, by session and player id; pairs without any are left out."""
    rows = session.exec(_MONEY, params={"sessions": session_ids})
    return {(session_id, player_id): int(amount) for session_id, player_id, amount in rows}
