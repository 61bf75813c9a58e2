"""The payments of a hand in chips, with the pieces each payer should have just before."""

from collections import Counter
from collections.abc import Mapping, Sequence

from sqlmodel import col, func, select

from engine.words.sentences import say
from ledger.database.models import ChipCount
from ledger.database.scope import ScopedSession
from ledger.services.chips import change
from ledger.services.chips.bank import must_be_in_chips
from ledger.services.chips.change import ChipPayment
from ledger.services.club import clubs
from ledger.services.hands import pots
from ledger.services.session.load import load
from ledger.services.session.view import SessionView
from ledger.words.problems import Invalid

BookedTransfer = tuple[str, str, int]
"""A payer, a payee and an amount in chips; either may be a player, the frog pot or the solo pot."""


def in_chips(
    session: ScopedSession,
    session_id: int,
    transfers: Sequence[BookedTransfer],
    *,
    booked: bool = False,
) -> list[ChipPayment]:
    """Return for each of a hand's transfers, in order, the pieces of chips to hand over. Nothing is written.

    The balances include a ``booked`` hand already, but its chips have not been moved on the table. A pot is
    assumed to hold the same pieces as a player with as many chips; no player can have a pot's name. Raises
    ``Invalid`` at ``transfers`` for a player without a seat, ``ScoresNotChips`` and ``NotFound``.
    """
    view = load(session, session_id)
    must_be_in_chips(view)
    unpaid: Counter[str] = Counter()
    for payer, payee, amount in transfers if booked else ():
        unpaid[payer] += amount
        unpaid[payee] -= amount
    denominations = clubs.row(session).denominations
    in_pots = pots.contents(session, session_id)
    seats = _pieces(session, view, unpaid)
    in_pot = {
        pot: change.holding(in_pots[name] + unpaid[pot], denominations)
        for pot, name in pots.BESIDE_SEATS.items()
    }
    pieces = {**in_pot, **seats}
    for payer, payee, _ in transfers:
        for name in (payer, payee):
            if name not in pieces:
                raise Invalid.at(
                    "transfers",
                    "not-at-the-table",
                    say("{name} has no seat in “{title}” now.", name=name, title=view.title),
                )
    return change.pay_all(transfers, pieces, denominations, pots=in_pot)


def holdings(session: ScopedSession, session_id: int) -> dict[str, Mapping[int, int]]:
    """Return the pieces that each present player should have, by name and value: last counted or assumed.

    Raises ``NotFound`` and ``ScoresNotChips``.
    """
    view = load(session, session_id)
    must_be_in_chips(view)
    return _pieces(session, view, Counter())


def _pieces(
    session: ScopedSession, view: SessionView, unpaid: Counter[str]
) -> dict[str, Mapping[int, int]]:
    """Return each player's pieces: those last counted if they match the balance, else the assumed ones.

    ``unpaid`` are chips booked but not yet moved on the table.
    """
    denominations = clubs.row(session).denominations
    latest = (
        select(func.max(ChipCount.id))
        .where(ChipCount.session_id == view.id)
        .group_by(col(ChipCount.seat_id))
    )
    counts = session.exec(select(ChipCount).where(col(ChipCount.id).in_(latest))).all()
    counted = {count.seat_id: count for count in counts}
    pieces: dict[str, Mapping[int, int]] = {}
    for seat in view.present:
        last = counted.get(seat.id)
        on_the_table = seat.balance + unpaid[seat.name]
        if last is not None and last.counted == on_the_table:
            pieces[seat.name] = {int(value): number for value, number in last.pieces.items()}
        else:
            pieces[seat.name] = change.holding(on_the_table, denominations)
    return pieces
