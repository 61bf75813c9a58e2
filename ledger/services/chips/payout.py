"""How a payout is paid in chips, with what each payer should be holding just before it."""

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
"""Who pays whom how many chips, as a verdict's transfers say: players, the frog pot and the solo pot."""


def in_chips(
    session: ScopedSession,
    session_id: int,
    transfers: Sequence[BookedTransfer],
    *,
    booked: bool = False,
) -> list[ChipPayment]:
    """Return how the transfers of a hand are paid in chips, one after another.

    The hand is about to be saved or, ``booked``, was saved just now: what it moved in the books still lies
    where it was on the table. A pot is taken to hold what a player with as many chips
    would; nobody can have a pot's name.
    Raises ``Invalid`` for a player who has no seat here, ``ScoresNotChips``, ``NotFound``.
    """
    view = load(session, session_id)
    must_be_in_chips(view)
    unpaid = _unpaid(transfers if booked else ())
    denominations = clubs.row(session).denominations
    in_pots = pots.held(session, session_id)
    seats = _held(session, view, unpaid)
    lie = {
        pot: change.holding(in_pots[name] + unpaid[pot], denominations)
        for pot, name in pots.BESIDE_SEATS.items()
    }
    held = {**lie, **seats}
    for payer, payee, _ in transfers:
        for name in (payer, payee):
            if name not in held:
                raise Invalid.at(
                    "transfers",
                    "not-at-the-table",
                    say("{name} has no seat in “{title}” now.", name=name, title=view.title),
                )
    return change.pay_all(transfers, held, denominations, pots=lie)


def holdings(session: ScopedSession, session_id: int) -> dict[str, Mapping[int, int]]:
    """Return the pieces each player here should be holding. Raises ``NotFound``, ``ScoresNotChips``."""
    view = load(session, session_id)
    must_be_in_chips(view)
    return _held(session, view, Counter())


def _unpaid(booked: Sequence[BookedTransfer]) -> Counter[str]:
    """Return what each has more on the table than in the books, or less."""
    unpaid: Counter[str] = Counter()
    for payer, payee, amount in booked:
        unpaid[payer] += amount
        unpaid[payee] -= amount
    return unpaid


def _held(
    session: ScopedSession, view: SessionView, unpaid: Counter[str]
) -> dict[str, Mapping[int, int]]:
    """The pieces last counted where the ledger says the same chips, else what a stack is taken to be.

    What is booked and ``unpaid`` is not held yet.
    """
    denominations = clubs.row(session).denominations
    latest = (
        select(func.max(ChipCount.id))
        .where(ChipCount.session_id == view.id)
        .group_by(col(ChipCount.seat_id))
    )
    counts = session.exec(select(ChipCount).where(col(ChipCount.id).in_(latest))).all()
    counted = {count.seat_id: count for count in counts}
    held: dict[str, Mapping[int, int]] = {}
    for seat in view.present:
        last = counted.get(seat.id)
        on_the_table = seat.balance + unpaid[seat.name]
        if last is not None and last.counted == on_the_table:
            held[seat.name] = {int(value): number for value, number in last.pieces.items()}
        else:
            held[seat.name] = change.holding(on_the_table, denominations)
    return held
