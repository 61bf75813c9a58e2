"""Settling changed hands with players who have left, so that their seats still have no chips.

The hand's own entries move a seat that was left like any other seat. An entry of kind ``after-leaving``, in
the same write, moves the opposite between the seat and the bank, as the leaving itself did. If the player was
cashed out at a rate that still applies, the chips become money at once; the session's till holds the other
side until the other players cash in. Otherwise they stay chips won or lost, which the next conversion cashes
in.

Money is rounded once for all chips that the seat has cashed in since the player left, so that several
corrections give the same sum as one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, select, update

from engine.rules.sheet import CHIPS
from ledger.books import journal
from ledger.books.journal import Entry
from ledger.database.kinds.accounts import AccountKind, Amounts, key_of, seat_key, session_key
from ledger.database.kinds.entries import KINDS, ChipOwners, kinds
from ledger.database.models import Account, EntryKind, JournalEntry, Posting, Seat
from ledger.database.scope import Change, ScopedSession
from ledger.services.club import clubs
from ledger.services.common import apportion
from ledger.services.common.writing import WriteContext
from ledger.services.hands.preview import AfterLeaving, Move, must_fit
from ledger.services.session import reversals
from ledger.services.session.hand_versions import HandChange
from ledger.services.session.view import Rate, SeatView, SessionView

_LEAVINGS = kinds(lambda kind: kind.converts is ChipOwners.ONE)


class Settling(NamedTuple):
    """A settlement with a player who has left: ``chips`` of the seat go to the bank, or back if negative.

    ``cashed`` chips, these and earlier ones not cashed in, become ``money``, in minor units. If the rate at
    which the player left is no longer the table's, ``cashed`` is 0 and ``money`` None.
    """

    seat: SeatView
    chips: int
    cashed: int
    rate: Rate | None
    money: int | None
    currency: str

    @property
    def sums(self) -> AfterLeaving:
        """The settlement for previews and the API, with the player's name."""
        return AfterLeaving(self.seat.name, self.chips, self.money, self.currency)


class _Left(NamedTuple):
    """The sums of a seat since its player left.

    The leaving cashed in ``at_first`` chips at ``rate``; with the later changes of hands it is ``cashed``
    chips. The player won ``more`` chips by these changes. A seat whose joining was undone has no leaving, and
    changes only if a hand was restored on it since.
    """

    rate: Rate | None = None
    at_first: int = 0
    cashed: int = 0
    more: int = 0

    @property
    def since(self) -> int | None:
        """The money due for the later changes of hands; None if these stayed chips."""
        return None if self.cashed == self.at_first else self.money(self.at_first, self.cashed)

    def money(self, start: int, end: int) -> int | None:
        """Return the money due if the chips cashed in rise from ``start`` to ``end``; None without a rate."""
        if self.rate is None:
            return None
        before, after = (
            apportion.nearest(cashed, self.rate.money, self.rate.chips) for cashed in (start, end)
        )
        return after - before


def plan(
    session: ScopedSession, view: SessionView, changes: Sequence[HandChange]
) -> tuple[Settling, ...]:
    """Return a settlement for each player who has left and whose chips these changes of hands change.

    Points stay with the seat, and need none. Nothing is written.
    """
    more = Counter[int]()
    left_seats = {seat.id for seat in view.seats if seat.has_left}
    for change in changes if left_seats else ():
        if change.new.unit == CHIPS:
            more.update(
                {seat: amount for seat, amount in change.gains.items() if seat in left_seats}
            )
    changed = {seat_id: chips for seat_id, chips in more.items() if chips}
    if not changed:
        return ()
    left, currency = _left(session, view), clubs.row(session).currency
    return tuple(
        _settling(view, view.seat(seat_id), chips, left.get(seat_id), currency)
        for seat_id, chips in changed.items()
    )


def _settling(
    view: SessionView, seat: SeatView, chips: int, left: _Left | None, currency: str
) -> Settling:
    """Return the settlement of a seat whose chips change by ``chips``; in money if its rate still applies."""
    if left is None or left.rate is None or left.rate != view.rate:
        return Settling(seat, chips, 0, None, None, currency)
    cashed = seat.unpaid + chips
    money = left.money(left.cashed, left.cashed + cashed)
    return Settling(seat, chips, cashed, left.rate, money, currency)


def since(session: ScopedSession, view: SessionView) -> tuple[AfterLeaving, ...]:
    """Return, for each player who has left, the chips and money due for changes of hands since then.

    Players whose chips did not change are left out.
    """
    if not any(seat.has_left for seat in view.seats):
        return ()
    left = _left(session, view)
    seats = [(seat.name, left[seat.id]) for seat in view.seats if seat.id in left]
    changed = [(name, sums) for name, sums in seats if sums.more]
    if not changed:
        return ()
    currency = clubs.row(session).currency
    return tuple(AfterLeaving(name, sums.more, sums.since, currency) for name, sums in changed)


def entries_since(session: ScopedSession, leaving: JournalEntry) -> list[JournalEntry]:
    """Return the ``after-leaving`` entries in force of a seat since it was left, newest first."""
    names, seat_id = [EntryKind.AFTER_LEAVING.value], leaving.details["seat"]
    entries = reversals.newest_first(session, leaving.session_id, names)
    return [
        entry for entry in entries if entry.id > leaving.id and entry.details["seat"] == seat_id
    ]


def chips(view: SessionView, settlings: Sequence[Settling]) -> Amounts:
    """Return the chips that settlements move, by the keys of the seats and the bank; empty without any."""
    moved = {seat_key(settling.seat.id): -settling.chips for settling in settlings}
    if moved:
        moved[session_key(view.id, AccountKind.BANK)] = -sum(moved.values())
    return moved


def money(
    session: ScopedSession, view: SessionView, settlings: Sequence[Settling]
) -> tuple[Move, ...]:
    """Return the moves of money by settlements: the players' accounts, then the till, without moves of 0.

    Raises ``BalanceTooLarge``.
    """
    paid = [(settling, settling.money) for settling in settlings if settling.money]
    moves: dict[str, Move] = {}
    for settling, amount in paid:
        seat, currency = settling.seat, settling.currency
        key = key_of(AccountKind.PLAYER, None, None, seat.player_id, None, currency)
        before = moves.get(key) or _balance(session, key, AccountKind.PLAYER, settling)
        moves[key] = _moved(before, amount)
    if paid:
        till = session_key(view.id, AccountKind.TILL)
        before = _balance(session, till, AccountKind.TILL, paid[0][0])
        moves["till"] = _moved(before, -sum(amount for _, amount in paid))
    for move in moves.values():
        must_fit(move.kind, move.name, move.balance, move.unit)
    return tuple(move for move in moves.values() if move.amount)


def _balance(session: ScopedSession, key: str, kind: AccountKind, settling: Settling) -> Move:
    """Return a money account's balance as a move of 0; it is 0 for an account that doesn't exist yet."""
    balance = session.exec(select(Account.balance).where(Account.key == key)).first() or 0
    name = settling.seat.name if kind is AccountKind.PLAYER else kind.value
    return Move(kind.value, name, 0, balance, settling.currency)


def _moved(move: Move, amount: int) -> Move:
    """Return a move with the amount added to its amount and balance."""
    return move._replace(amount=move.amount + amount, balance=move.balance + amount)


def entry(
    tx: WriteContext, view: SessionView, settling: Settling, number: int, reason: str | None
) -> Entry:
    """Return the entry that settles a change of hand ``number`` with one seat; the caller posts it.

    Updates the seat, and creates the money accounts that don't exist yet.
    """
    session, seat, amount = tx.session, settling.seat, settling.chips
    details: dict[str, Any] = {"seat": seat.id, "hand": number}
    bank = journal.open_account(session, AccountKind.BANK, session_id=view.id)
    amounts = {seat.account_id: -amount, bank.id: amount}
    if settling.rate is not None and settling.money is not None:
        details["rate"] = asdict(settling.rate)
        details["converted"] = {str(seat.id): settling.cashed} if settling.cashed else {}
        unit = settling.currency
        player = journal.open_account(
            session, AccountKind.PLAYER, player_id=seat.player_id, unit=unit
        )
        till = journal.open_account(session, AccountKind.TILL, session_id=view.id, unit=unit)
        amounts |= {player.id: settling.money, till.id: -settling.money}
    session.change(CASH_IN_AT_SEAT, {"seat": seat.id, "chips": amount, "cashed": settling.cashed})
    header = tx.header(view.id, EntryKind.AFTER_LEAVING, reason=reason, details=details)
    return Entry(header, amounts)


CASH_IN_AT_SEAT = Change(
    update(Seat)
    .where(col(Seat.id) == bindparam("seat"))
    .values(
        advanced=col(Seat.advanced) - bindparam("chips"),
        converted=col(Seat.converted) + bindparam("cashed"),
    ),
)
"""Returns ``chips`` of a ``seat`` to the bank, ``cashed`` of which become money."""


def _left(session: ScopedSession, view: SessionView) -> Mapping[int, _Left]:
    """Return the sums of each seat whose player has left, by the seat's id."""
    rows = session.exec(
        select(JournalEntry, Posting.amount)
        .outerjoin(
            Posting,
            (col(Posting.entry_id) == JournalEntry.id)
            & col(Posting.account_id).in_([seat.account_id for seat in view.seats]),
        )
        .where(JournalEntry.session_id == view.id, col(JournalEntry.hand_id).is_(None))
        .where(col(JournalEntry.kind).in_(_LEAVINGS), reversals.in_force())
        .order_by(col(JournalEntry.id))
    ).all()
    sums: dict[int, _Left] = {}
    for entry, amount in rows:
        seat_id = entry.details["seat"]
        cashed = entry.details.get("converted", {}).get(str(seat_id), 0)
        if KINDS[entry.kind].of_hand:
            left = sums.get(seat_id, _Left())
            sums[seat_id] = left._replace(cashed=left.cashed + cashed, more=left.more - amount)
        else:
            rate = entry.details.get("rate")
            sums[seat_id] = _Left(rate and Rate(**rate), cashed, cashed)
    return sums
