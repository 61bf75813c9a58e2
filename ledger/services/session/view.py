"""A session as it stands: who sits where with how many chips, and what is played.

Reads the session's own row, its seats and their accounts, and of its hands the last that stands, so that it
takes the same time after a thousand hands as before the first.
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
from ledger.database.models import (
    Account,
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
from ledger.services.session.stored import OF_A_VERSION, Pair, pair
from ledger.words.problems import Invalid, NoSuchSession

_COLOURS = 12
_PLAYING, _LEFT = SeatState.PLAYING.value, SeatState.LEFT.value


@dataclass(frozen=True, slots=True)
class Rate:
    """What chips stand for: ``chips`` of them are worth ``money`` minor units of the club's currency."""

    chips: int
    money: int


class SeatView(NamedTuple):
    """A player's place: its chips, how many of them the bank gave, what it scored, and the bids so far.

    Where a session was played for nothing but scores, these stand where chips stand elsewhere.
    """

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

    @property
    def net(self) -> int:
        """Chips won, or lost if negative: what is in hand less what the bank gave."""
        return self.balance - self.advanced

    @property
    def unpaid(self) -> int:
        """Chips won, or lost if negative, that are not cashed in yet: what converting cashes in."""
        return self.net - self.converted

    @property
    def lent(self) -> int:
        """Chips that must go back to the bank: what it gave, with what was won and has been cashed in."""
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
        """The same seat without its score, as its account holds both.

        Who left holds no chips; in older books the score went to the bank with them.
        """
        chips = self.balance - self.scored
        if self.has_left:
            return self._replace(balance=0, advanced=self.advanced - chips)
        return self._replace(balance=chips)

    @property
    def score_alone(self) -> "SeatView":
        """The same seat where there are no chips; who left has their score, even if the bank took it."""
        return self._replace(balance=self.scored, advanced=0) if self.has_left else self


@dataclass(frozen=True)
class SessionView:
    """A session as it stands. ``seats`` are clockwise; those who have left come last.

    ``last`` is the last hand that stands, beside what it says. ``in_chips``: chips are on the table, as its
    game is played for them, they are worth money, or somebody was given or has won some.
    """

    id: int
    title: str
    started_on: date
    game: str
    variant: str | None
    options: Mapping[str, Any]
    state: str
    revision: int
    hands_dealt: int
    first_dealer: int
    created_at: datetime
    closed_at: datetime | None
    starting_stack: int
    seats: tuple[SeatView, ...]
    rate: Rate | None = None
    last: Pair | None = None
    in_chips: bool = True

    def __hash__(self) -> int:
        """What is asked about a session as it stands is asked once; see ``asked_once``."""
        return hash((self.id, self.revision))

    @property
    def is_open(self) -> bool:
        """Whether hands may be written."""
        return self.state == SessionState.OPEN

    def seat(self, seat_id: int) -> SeatView:
        """Return one of the session's seats."""
        return next(seat for seat in self.seats if seat.id == seat_id)

    @cached_property
    def player_ids(self) -> Mapping[int, int]:
        """Whose each seat is."""
        return {seat.id: seat.player_id for seat in self.seats}

    @cached_property
    def present(self) -> tuple[SeatView, ...]:
        """The seats of those who are here, clockwise: playing or sitting out."""
        return tuple(seat for seat in self.seats if not seat.has_left)

    @cached_property
    def playing(self) -> tuple[SeatView, ...]:
        """The seats that the next hand is dealt to, clockwise."""
        return tuple(seat for seat in self.seats if seat.is_playing)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of those who play the next hand, clockwise."""
        return tuple(seat.name for seat in self.playing)

    @cached_property
    def colours(self) -> Mapping[str, int]:
        """Map each player to their colour: one of twelve, in the order in which they first sat down.

        It stays theirs all evening, whoever comes, leaves or changes seats.
        """
        order = dict.fromkeys(seat.name for seat in sorted(self.seats, key=lambda seat: seat.id))
        return {name: place % _COLOURS for place, name in enumerate(order)}

    @property
    def unconverted(self) -> Mapping[str, int]:
        """Chips that are worth money and not cashed in yet: what each player won or, if negative, lost."""
        if self.rate is None:
            return {}
        chips = Counter[str]()
        for seat in self.seats:
            chips[seat.name] += seat.unpaid
        return {name: won for name, won in chips.items() if won}

    @property
    def plays_from_stacks(self) -> bool:
        """Whether everybody pays with chips they hold; a table that starts with none counts from zero."""
        return self.starting_stack > 0

    @property
    def unit(self) -> str:
        """What ``balance`` and ``net`` of its seats count: chips, or scores where there are none."""
        return CHIPS if self.in_chips else SCORE

    @property
    def scores_apart(self) -> bool:
        """Whether scores stand beside chips: both are played for."""
        return self.in_chips and (
            self.sheet.unit == SCORE or any(seat.scored for seat in self.seats)
        )

    def held(self, seat: SeatView, unit: str) -> int:
        """Return what one of its seats has of chips, or of scores."""
        if unit == SCORE:
            return seat.scored
        return seat.balance if self.in_chips else 0

    @property
    def sheet(self) -> Sheet:
        """The rule sheet of the next hand's game."""
        return games.find(self.game)

    @cached_property
    def rules(self) -> Rules:
        """The rules of the next hand. Raises ``Invalid`` when too few or too many are playing for them."""
        try:
            return self.sheet.rules(self.variant, self.options, len(self.playing))
        except Refused as refused:
            raise Invalid.from_refused(refused) from refused

    @property
    def first_dealer_id(self) -> int:
        """The seat that was chosen to deal the first hand."""
        return sorted(seat.id for seat in self.seats)[self.first_dealer]

    @property
    def successors(self) -> Mapping[int, int]:
        """To whom each of those who left handed their turn to deal."""
        return {seat.id: seat.successor_id for seat in self.seats if seat.successor_id is not None}


_ADDED = {"seats", "rate", "last", "in_chips"}
_OWN = [each.name for each in fields(SessionView) if each.name not in _ADDED]
_NAMES = ["rate_chips", "rate_money", *_OWN]
_OF_THE_SESSION, _ID = [getattr(PlaySession, name) for name in _NAMES], _NAMES.index("id")
_ELSEWHERE = {"name": Player.name, "account_id": Account.id, "balance": Account.balance}
_OF_A_SEAT = [_ELSEWHERE.get(name, getattr(Seat, name, None)) for name in SeatView._fields]
_SEAT, _HAND = len(_OF_THE_SESSION), len(_OF_THE_SESSION) + len(_OF_A_SEAT)
_OTHERS, _HANDS = aliased(Seat), aliased(Hand)
_FIRST = select(func.min(_OTHERS.id)).where(_OTHERS.session_id == bindparam("session"))
_LAST = (
    select(_HANDS.id)
    .where(_HANDS.session_id == bindparam("session"), _HANDS.state == HandState.STANDING.value)
    .order_by(col(_HANDS.number).desc())
    .limit(1)
)
# The session and its last hand stand beside one seat, the first that there was: no row says them again.
_TABLE = Built(
    lambda *row: (row[:_SEAT], SeatView._make(row[_SEAT:_HAND]), row[_HAND:]),
    select(*_OF_THE_SESSION, *_OF_A_SEAT, *OF_A_VERSION)
    .select_from(Seat)
    .join(Player, col(Player.id) == Seat.player_id)
    .join(Account, col(Account.seat_id) == Seat.id)
    .outerjoin(
        PlaySession,
        (col(Seat.id) == _FIRST.scalar_subquery())
        & (col(PlaySession.id) == Seat.session_id)
        & LISTED,
    )
    .outerjoin(
        Hand,
        (col(PlaySession.id) == Seat.session_id) & (col(Hand.id) == _LAST.scalar_subquery()),
    )
    .outerjoin(
        HandVersionTable,
        (col(HandVersionTable.hand_id) == Hand.id)
        & (col(HandVersionTable.version) == Hand.version),
    )
    .where(Seat.session_id == bindparam("session")),
)


@asked_once
def load(session: ScopedSession, session_id: int) -> SessionView:
    """Return one session as it stands. Raises ``NotFound``."""
    rows = session.ask(_TABLE, session=session_id)
    found = next((row for row in rows if row[0][_ID] is not None), None)
    if found is None:
        raise NoSuchSession
    (chips, money, *of_the_session), _, hand = found
    seats = sorted((seat for _, seat, _ in rows), key=_in_their_places)
    last = None if hand[0] is None else pair(*hand)
    shown: Any = (*of_the_session, tuple(seats), _rate(chips, money), last)
    made = SessionView(*shown)
    if not any(seat.scored for seat in seats):
        return made if _plays_for_chips(made, seats) else replace(made, in_chips=False)
    apart = tuple(seat.chips_alone for seat in seats)
    if _plays_for_chips(made, apart):
        return replace(made, seats=apart)
    return replace(made, in_chips=False, seats=tuple(seat.score_alone for seat in seats))


def _in_their_places(seat: SeatView) -> tuple[bool, int, int]:
    """Put seats clockwise; those who have left come last."""
    return seat.has_left, seat.position, seat.id


def _plays_for_chips(view: SessionView, seats: Iterable[SeatView]) -> bool:
    """Whether chips are on the table; ``seats`` hold no scores."""
    if view.sheet.unit == CHIPS or view.rate is not None or view.starting_stack:
        return True
    return any(seat.net or (seat.lent and not seat.has_left) for seat in seats)


def view(session: ScopedSession, row: PlaySession) -> SessionView:
    """Return a session whose row is at hand as it stands."""
    return load(session, row.id)


def rate_of(row: PlaySession) -> Rate | None:
    """Return the rate a session is played at; None: for chips only."""
    return _rate(row.rate_chips, row.rate_money)


def _rate(chips: int | None, money: int | None) -> Rate | None:
    return None if chips is None or money is None else Rate(chips, money)
