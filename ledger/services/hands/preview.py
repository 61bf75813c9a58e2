"""What writing a hand would do: the verdict, every balance moved, every hand that follows."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlmodel import col, select

from engine.reasoning.verdict import Verdict
from engine.record import HandRecord
from ledger.accounts import read_key, seat_key
from ledger.balances import CHIPS, AccountClosed, BalanceTooLarge, fits, whose
from ledger.models import Account, Player
from ledger.scope import ScopedSession
from ledger.services.hands.posting import Amounts
from ledger.services.session.view import SessionView


@dataclass(frozen=True, slots=True)
class Move:
    """A balance that would move: whose it is, by how much, and what it would be.

    ``kind`` is the account's; ``name`` is a player's or a pot's, or the kind again. ``unit`` is ``chips``,
    or the currency of an account that is kept in minor units of money.
    """

    kind: str
    name: str
    amount: int
    balance: int
    unit: str = CHIPS


@dataclass(frozen=True, slots=True)
class Followed:
    """A later hand that would be recalculated because the pots it was played for change.

    ``pots`` are what they would hold before its antes; ``deltas`` what each player gets more than before
    (or, negative, less): nobody, where the hand took no pot.
    """

    number: int
    pots: Mapping[str, int]
    deltas: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Preview:
    """What saving would do; nothing is saved by looking.

    ``record`` and ``verdict`` are the hand's as it would stand, None where it would be void.
    ``balances`` are the chips of everybody at the table after it.
    """

    record: HandRecord | None
    verdict: Verdict | None
    balances: Mapping[str, int]
    revision: int
    moves: tuple[Move, ...] = ()
    followed: tuple[Followed, ...] = ()


def balances(view: SessionView, moved: Amounts) -> dict[str, int]:
    """Return everybody's chips after a move; of two seats of one player, the one not left."""
    after: dict[str, int] = {}
    for seat in view.seats:
        after.setdefault(seat.name, seat.balance + moved.get(seat_key(seat.id), 0))
    return after


def moves(session: ScopedSession, view: SessionView | None, moved: Amounts) -> tuple[Move, ...]:
    """Say which balances would move: the seats' clockwise, then the others'. ``view`` is the session's.

    Raises ``BalanceTooLarge``.
    """
    seats = {seat_key(seat.id): seat for seat in view.seats} if view else {}
    others = sorted(moved.keys() - seats.keys())
    known: dict[str, tuple[Account, str | None]] = {}
    if others:
        rows = session.exec(
            select(Account, Player.name)
            .outerjoin(Player, col(Player.id) == Account.player_id)
            .where(col(Account.key).in_(others))
        )
        known = {account.key: (account, player) for account, player in rows}
    found = (
        *(
            Move("seat", seat.name, moved[key], seat.balance + moved[key])
            for key, seat in seats.items()
            if key in moved
        ),
        *(_move(key, moved[key], *known.get(key, (None, None))) for key in others),
    )
    for each in found:
        must_fit(each.kind, each.name, each.balance, each.unit)
    return found


def must_fit(kind: str, name: str, balance: int, unit: str) -> None:
    """Refuse what would leave an account with more than it can hold. Raises ``BalanceTooLarge``."""
    if not fits(balance):
        raise BalanceTooLarge(whose(kind, name), balance, unit)


def of_entry(
    session: ScopedSession, view: SessionView, moved: Amounts, followed: tuple[Followed, ...] = ()
) -> Preview:
    """Show what would come of moving so much where no hand is written, and which hands follow."""
    shown = moves(session, view, moved)
    return Preview(None, None, balances(view, moved), view.revision, shown, followed)


def must_be_open(view: SessionView, moved: Amounts) -> None:
    """Refuse to move the chips of somebody who has left. Raises ``AccountClosed``."""
    for seat in view.seats:
        if seat.has_left and seat_key(seat.id) in moved:
            raise AccountClosed(seat.name)


def account_ids(view: SessionView) -> dict[str, int]:
    """Return the ids of the seats' accounts by their keys."""
    return {seat_key(seat.id): seat.account_id for seat in view.seats}


def _move(key: str, amount: int, account: Account | None, player: str | None) -> Move:
    """Say what happens on an account other than a seat's; a pot or the world may not be opened yet."""
    if account is None:
        kind, name = read_key(key)
        return Move(kind, name or kind, amount, amount)
    name = player or account.name or account.kind
    return Move(account.kind, name, amount, account.balance + amount, account.unit)
