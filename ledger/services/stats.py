"""Statistics of a player and of a club, from the sums alone: no hand is read, however many there are.

Amounts are chips won (or, negative, lost) in hands that stand; a score that is no payment counts alike.
What was adjusted when chips were counted is no hand's, and is not in them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction

from sqlmodel import col, func, select

from engine import games
from engine.contracts import PASS
from ledger.access import Access
from ledger.db import Database
from ledger.models import (
    Account,
    AccountKind,
    Hand,
    JournalEntry,
    Player,
    PlaySession,
    Posting,
    Result,
    Seat,
    Tally,
)
from ledger.problems import NotFound
from ledger.scope import ScopedSession
from ledger.services.sums import Side


@dataclass(frozen=True, slots=True)
class Record:
    """How often something was done, and how it ended. ``won`` and ``lost`` are the contract's.

    ``total`` is what the player got of it in chips, ``average`` that a hand, exactly.
    """

    hands: int = 0
    won: int = 0
    lost: int = 0
    tied: int = 0
    total: int = 0

    @property
    def average(self) -> Fraction:
        """Chips a hand; 0 where there was none."""
        return Fraction(self.total, self.hands) if self.hands else Fraction(0)

    @classmethod
    def of(cls, tallies: Iterable[Tally]) -> "Record":
        """Add tallies up."""
        rows = list(tallies)
        return cls(
            hands=sum(row.hands for row in rows),
            won=sum(row.won for row in rows),
            lost=sum(row.lost for row in rows),
            tied=sum(row.tied for row in rows),
            total=sum(row.total for row in rows),
        )


@dataclass(frozen=True, slots=True)
class ContractRecord:
    """A player's record as the bidder of one contract."""

    game: str
    game_title: str
    bid: str
    record: Record


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A player's record in one game: every hand they sat at, and by the side they were on."""

    game: str
    title: str
    played: Record
    as_bidder: Record
    as_partner: Record
    as_opponent: Record


@dataclass(frozen=True, slots=True)
class Extreme:
    """A best or worst hand: what it brought, and where it is found."""

    amount: int
    session_id: int
    session_title: str
    played_on: date
    hand: int


@dataclass(frozen=True, slots=True)
class Evening:
    """What a player won in one session, in chips."""

    session_id: int
    title: str
    started_on: date
    won: int


@dataclass(frozen=True, slots=True)
class MoneyMove:
    """A change of a player's money: when, what for, by how much, and what it came to."""

    occurred_at: datetime
    kind: str
    session_id: int | None
    currency: str
    amount: int
    balance: int


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A player's statistics. ``played`` leaves out the hands they sat out."""

    id: int
    name: str
    played: Record
    sat_out: Record
    as_bidder: Record
    games: tuple[GameRecord, ...]
    contracts: tuple[ContractRecord, ...]
    best: Extreme | None
    worst: Extreme | None
    evenings: tuple[Evening, ...]
    money: tuple[MoneyMove, ...]


def of_player(db: Database, access: Access, player_id: int) -> PlayerStats:
    """Return a player's statistics. Raises ``NotFound``."""
    with db.read(access) as session:
        player = session.exec(select(Player).where(Player.id == player_id)).one_or_none()
        if player is None:
            raise NotFound("There is no such player in this club.")
        tallies = session.exec(
            select(Tally).where(Tally.player_id == player_id, Tally.hands > 0)
        ).all()
        return PlayerStats(
            id=player.id,
            name=player.name,
            played=Record.of(row for row in tallies if row.side != Side.IDLE),
            sat_out=Record.of(row for row in tallies if row.side == Side.IDLE),
            as_bidder=Record.of(row for row in tallies if row.side == Side.BIDDER),
            games=tuple(_games(tallies)),
            contracts=tuple(_contracts(tallies)),
            best=_extreme(session, player_id, best=True),
            worst=_extreme(session, player_id, best=False),
            evenings=tuple(_evenings(session, player_id)),
            money=tuple(_money(session, player_id)),
        )


def _games(tallies: Sequence[Tally]) -> Iterable[GameRecord]:
    for game in dict.fromkeys(row.game for row in tallies):
        rows = [row for row in tallies if row.game == game]
        yield GameRecord(
            game,
            games.find(game).title,
            Record.of(row for row in rows if row.side != Side.IDLE),
            *(
                Record.of(row for row in rows if row.side == side)
                for side in (Side.BIDDER, Side.PARTNER, Side.OPPONENT)
            ),
        )


def _contracts(tallies: Sequence[Tally]) -> Iterable[ContractRecord]:
    """Yield the contracts a player bid, the most frequent of each game first."""
    bid = [row for row in tallies if row.side == Side.BIDDER and row.bid != PASS]
    for row in sorted(bid, key=lambda row: (row.game, -row.hands, row.bid)):
        yield ContractRecord(row.game, games.find(row.game).title, row.bid, Record.of([row]))


def _extreme(session: ScopedSession, player_id: int, *, best: bool) -> Extreme | None:
    """Find the hand that brought most, or cost most; of equals the first. The index finds it at once."""
    amount = col(Result.amount)
    found = session.exec(
        select(Result.amount, Hand.number, PlaySession)
        .join(Hand, col(Hand.id) == Result.hand_id)
        .join(PlaySession, col(PlaySession.id) == Hand.session_id)
        .where(Result.player_id == player_id)
        .order_by(amount.desc() if best else amount)
        .limit(1)
    ).first()
    if found is None:
        return None
    brought, number, row = found
    return Extreme(brought, row.id, row.title, row.started_on, number)


def _evenings(session: ScopedSession, player_id: int) -> Iterable[Evening]:
    """Yield what a player won in each session, oldest first: the chips less what the bank gave."""
    rows = session.exec(
        select(PlaySession, func.sum(Account.balance - Seat.advanced))
        .join(Seat, col(Seat.session_id) == PlaySession.id)
        .join(Account, col(Account.seat_id) == Seat.id)
        .where(Seat.player_id == player_id)
        .group_by(col(PlaySession.id))
        .order_by(col(PlaySession.started_on), col(PlaySession.id))
    )
    return [Evening(row.id, row.title, row.started_on, int(won)) for row, won in rows]


def _money(session: ScopedSession, player_id: int) -> Iterable[MoneyMove]:
    """Yield each change of a player's money, oldest first."""
    rows = session.exec(
        select(JournalEntry, Posting, Account.unit)
        .join(Posting, col(Posting.entry_id) == JournalEntry.id)
        .join(Account, col(Account.id) == Posting.account_id)
        .where(Account.player_id == player_id, Account.kind == AccountKind.PLAYER.value)
        .order_by(col(Posting.id))
    )
    return [
        MoneyMove(
            entry.occurred_at, entry.kind, entry.session_id, unit, posting.amount, posting.balance
        )
        for entry, posting, unit in rows
    ]
