"""The current state of a session: its settings, its seats with their chips, and its last standing hand.

One query reads it, which takes the same time after a thousand hands as before the first.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import col, func, select

from engine import games
from engine.errors import Refused
from engine.rules.sheet import CHIPS, SCORE, Rules, Sheet
from ledger.database.kinds.accounts import seat_key
from ledger.database.models import (
    Account,
    Club,
    Hand,
    HandState,
    HandVersionTable,
    Player,
    PlaySession,
    Seat,
    SeatState,
    SessionState,
)
from ledger.database.models.play import LISTED
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.session.hand_versions import VERSION_COLUMNS, HandVersion
from ledger.words.player_marks import at_table, colour_of
from ledger.words.problems import Invalid, NoSuchSession

_PLAYING, _LEFT = SeatState.PLAYING.value, SeatState.LEFT.value


@dataclass(frozen=True, slots=True)
class Rate:
    """The value of chips: ``chips`` of them are worth ``money`` minor units of the club's currency."""

    chips: int
    money: int


class SeatView(NamedTuple):
    """A seat: its player, chips, points and bids. In a session without chips, points take their place."""

    id: int
    name: str
    position: Annotated[int, "Clockwise from 0; for somebody who has left, their last."]
    account_id: int
    balance: Annotated[int, "Chips in hand; where there are none, the score."]
    player_id: int = 0
    state: Annotated[str, "`playing` means dealt in; `left` means cashed out.", SeatState] = (
        _PLAYING
    )
    advanced: Annotated[int, "What the bank gave, including the starting stack."] = 0
    converted: int = 0
    scored: Annotated[int, "Points that nobody pays, as German Solo's are; in no chips."] = 0
    hands_bid: Annotated[int, "How many hands they bid."] = 0
    hands_won: Annotated[int, "How many of these they won."] = 0
    successor_id: int | None = None
    own_colour: int | None = None
    emoji: Annotated[str, "The player's emoji, or empty."] = ""
    picture: Annotated[str, "The SHA-256 of the player's picture, or empty."] = ""

    @property
    def colour(self) -> int:
        """The number of the player's colour and mark, from 0 to 11."""
        return colour_of(self.player_id, self.own_colour)

    @property
    def net(self) -> int:
        """Chips won, or lost if negative: chips in hand less those from the bank."""
        return self.balance - self.advanced

    @property
    def unpaid(self) -> int:
        """Chips won, or lost if negative, that a conversion would cash in."""
        return self.net - self.converted

    @property
    def lent(self) -> int:
        """Chips owed to the bank: those it gave, plus those won (or, negative, lost) that became money."""
        return self.advanced + self.converted

    @property
    def is_playing(self) -> bool:
        """Whether the next hand is dealt to this seat."""
        return self.state == _PLAYING

    @property
    def has_left(self) -> bool:
        """Whether this seat has cashed out."""
        return self.state == _LEFT

    @property
    def chips_alone(self) -> "SeatView":
        """The seat with chips only as balance; its account contains points, too.

        A player who left has no chips, and ``net`` stays the chips won. In older databases the points went to
        the bank with them.
        """
        chips = self.balance - self.scored
        if self.has_left:
            return self._replace(balance=0, advanced=self.advanced - chips)
        return self._replace(balance=chips)

    @property
    def score_alone(self) -> "SeatView":
        """The seat as shown in a session without chips, with its points as balance.

        A left one gets its ``scored``; any other is unchanged, as its account contains points only.
        """
        return self._replace(balance=self.scored, advanced=0) if self.has_left else self


@dataclass(frozen=True)
class SessionView:
    """The current state of a session. ``seats`` are clockwise, with those that were left at the end.

    ``last`` is the last standing hand. ``in_chips`` is true if chips are on the table: the game is played for
    them, they have a rate, or somebody got or won some. ``confirm_from`` is the club's.
    """

    id: int
    title: str
    started_on: date
    game: str
    variant: str | None
    options: Mapping[str, Any]
    state: str
    revision: int
    confirmations: int
    confirm_from: int
    hands_dealt: int
    first_dealer: int
    created_at: datetime
    closed_at: datetime | None
    starting_stack: int
    ends_at: datetime | None
    on_paper: bool
    seats: tuple[SeatView, ...]
    rate: Rate | None = None
    last: HandVersion | None = None
    in_chips: bool = True

    def __hash__(self) -> int:
        """Hash by session and revision, so that ``asked_once`` can use a view as a key."""
        return hash((self.id, self.revision))

    @property
    def live_number(self) -> int:
        """The number that the session's pages follow: it grows with every write and every confirmation."""
        return self.revision + self.confirmations

    @property
    def is_open(self) -> bool:
        """Whether hands may be written: the session is neither paused nor closed."""
        return self.state == SessionState.OPEN

    def seat(self, seat_id: int) -> SeatView:
        """Return the session's seat with this id, even one that was left; it must exist."""
        return next(seat for seat in self.seats if seat.id == seat_id)

    @property
    def player_ids(self) -> Mapping[int, int]:
        """Maps each seat's id to the id of its player."""
        return {seat.id: seat.player_id for seat in self.seats}

    @property
    def seats_by_account(self) -> Mapping[str, SeatView]:
        """Maps the key of each seat's account to the seat."""
        return {seat_key(seat.id): seat for seat in self.seats}

    @property
    def present(self) -> tuple[SeatView, ...]:
        """The seats that were not left, clockwise: playing or sitting out."""
        return tuple(seat for seat in self.seats if not seat.has_left)

    @property
    def playing(self) -> tuple[SeatView, ...]:
        """The seats that the next hand is dealt to, clockwise."""
        return tuple(seat for seat in self.seats if seat.is_playing)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players of the next hand, clockwise."""
        return tuple(seat.name for seat in self.playing)

    @property
    def colours(self) -> Mapping[str, int]:
        """Maps each player's name to the number of their colour, in the order of sitting down.

        A second player with the same colour has 12 more, so that their mark is hollow and their line dashed.
        """
        order = {seat.name: seat.colour for seat in sorted(self.seats, key=lambda seat: seat.id)}
        return dict(zip(order, at_table([*order.values()]), strict=True))

    @property
    def unconverted(self) -> Mapping[str, int]:
        """The chips that each player won (or, negative, lost) and can cash in; empty without a rate.

        Players with 0 are left out.
        """
        if self.rate is None:
            return {}
        chips = Counter[str]()
        for seat in self.seats:
            chips[seat.name] += seat.unpaid
        return {name: won for name, won in chips.items() if won}

    @property
    def plays_from_stacks(self) -> bool:
        """Whether players start with chips and pay with those; else everybody counts from zero."""
        return self.starting_stack > 0

    @property
    def unit(self) -> str:
        """The unit of ``balance`` and ``net`` of the seats: chips, or points in a session without chips."""
        return CHIPS if self.in_chips else SCORE

    @property
    def scores_apart(self) -> bool:
        """Whether the session counts points beside its chips: its game is for scores, or a seat has some.

        False in a session without chips.
        """
        return self.in_chips and (
            self.sheet.unit == SCORE or any(seat.scored for seat in self.seats)
        )

    def balance_of(self, seat: SeatView, unit: str) -> int:
        """Return a seat's points if ``unit`` is the score, else its chips; 0 in a session without chips."""
        if unit == SCORE:
            return seat.scored
        return seat.balance if self.in_chips else 0

    @property
    def sheet(self) -> Sheet:
        """The rule sheet of the next hand's game."""
        return games.find(self.game)

    # Cached for the benchmark save_path: the rules are asked for at every step of a save.
    @cached_property
    def rules(self) -> Rules:
        """The rules of the next hand. Raises ``Invalid`` when too few or too many are playing for them."""
        try:
            return self.sheet.rules(self.variant, self.options, len(self.playing))
        except Refused as refused:
            raise Invalid.from_refused(refused) from refused

    @property
    def first_dealer_id(self) -> int:
        """The id of the seat that dealt the first hand."""
        return sorted(seat.id for seat in self.seats)[self.first_dealer]

    @property
    def successors(self) -> Mapping[int, int]:
        """Maps the id of each seat that was left to the id of the seat that deals in its turn, if any."""
        return {seat.id: seat.successor_id for seat in self.seats if seat.successor_id is not None}


_ADDED = {"seats", "rate", "last", "in_chips"}
_OWN_FIELDS = [field.name for field in fields(SessionView) if field.name not in _ADDED]
_SESSION_FIELDS = ["rate_chips", "rate_money", *_OWN_FIELDS]
_CONFIRM_FROM = select(Club.confirm_from).where(Club.id == PlaySession.club_id).scalar_subquery()
_SESSION_COLUMNS = [getattr(PlaySession, name, _CONFIRM_FROM) for name in _SESSION_FIELDS]
_ID = _SESSION_FIELDS.index("id")
_OTHER_TABLES = {
    "name": Player.name,
    "own_colour": Player.colour,
    "emoji": Player.emoji,
    "picture": Player.picture_digest,
    "account_id": Account.id,
    "balance": Account.balance,
}
_SEAT_COLUMNS = [_OTHER_TABLES.get(name, getattr(Seat, name, None)) for name in SeatView._fields]
_SEAT_START = len(_SESSION_COLUMNS)
_HAND_START = _SEAT_START + len(_SEAT_COLUMNS)
_FIRST_SEAT, _LAST_HAND = aliased(Seat), aliased(Hand)
_FIRST_ID = select(func.min(_FIRST_SEAT.id)).where(_FIRST_SEAT.session_id == bindparam("session"))
_LAST_ID = (
    select(_LAST_HAND.id)
    .where(
        _LAST_HAND.session_id == bindparam("session"),
        _LAST_HAND.state == HandState.STANDING.value,
    )
    .order_by(col(_LAST_HAND.number).desc())
    .limit(1)
)
# Only the row of the session's first seat has the columns of the session and its last hand.
_TABLE = Built(
    lambda *row: row,
    select(*_SESSION_COLUMNS, *_SEAT_COLUMNS, *VERSION_COLUMNS)
    .select_from(Seat)
    .join(Player, col(Player.id) == Seat.player_id)
    .join(Account, col(Account.seat_id) == Seat.id)
    .outerjoin(
        PlaySession,
        (col(Seat.id) == _FIRST_ID.scalar_subquery())
        & (col(PlaySession.id) == Seat.session_id)
        & LISTED,
    )
    .outerjoin(
        Hand,
        (col(PlaySession.id) == Seat.session_id) & (col(Hand.id) == _LAST_ID.scalar_subquery()),
    )
    .outerjoin(
        HandVersionTable,
        (col(HandVersionTable.hand_id) == Hand.id)
        & (col(HandVersionTable.version) == Hand.version),
    )
    .where(Seat.session_id == bindparam("session")),
)


def load_ahead(session: ScopedSession, session_id: int) -> None:
    """On PostgreSQL, read a session along with the next statement, so that ``load`` saves a round trip."""
    session.ask_ahead(_TABLE, session=session_id)


@asked_once
def load(session: ScopedSession, session_id: int) -> SessionView:
    """Return the current state of a session. Raises ``NotFound``, also for a deleted one."""
    rows = session.ask(_TABLE, session=session_id)
    first = next((row for row in rows if row[_ID] is not None), None)
    if first is None:
        raise NoSuchSession
    seats = [SeatView(*row[_SEAT_START:_HAND_START]) for row in rows]
    seats.sort(key=lambda seat: (seat.has_left, seat.position, seat.id))
    chips, money, *own = first[:_SEAT_START]
    hand = first[_HAND_START:]
    last = None if hand[0] is None else HandVersion(*hand)
    values: Any = (*own, tuple(seats), _rate(chips, money), last)
    state = SessionView(*values)
    if not any(seat.scored for seat in seats):
        return state if _plays_for_chips(state, seats) else replace(state, in_chips=False)
    chip_seats = tuple(seat.chips_alone for seat in seats)
    if _plays_for_chips(state, chip_seats):
        return replace(state, seats=chip_seats)
    return replace(state, in_chips=False, seats=tuple(seat.score_alone for seat in seats))


def _plays_for_chips(view: SessionView, seats: Iterable[SeatView]) -> bool:
    """Return whether chips are on the table; ``seats`` are without points."""
    if view.sheet.unit == CHIPS or view.rate is not None or view.starting_stack:
        return True
    return any(seat.net or (seat.lent and not seat.has_left) for seat in seats)


def rate_of(row: PlaySession) -> Rate | None:
    """Return the rate of a session; None if its chips have no value in money."""
    return _rate(row.rate_chips, row.rate_money)


def _rate(chips: int | None, money: int | None) -> Rate | None:
    return None if chips is None or money is None else Rate(chips, money)
