"""Settling changed hands with players who have left, so that their seats still hold no chips.

The hand's own entries move a seat that was left like any other. An entry of kind ``after-leaving``, in the
same write, moves the opposite between the seat and the bank, as the leaving itself did. If the player was
cashed out at a rate, and the table still plays at it, the chips become money at once: the till of the session
holds the other side until the other players cash in. Otherwise they stay chips won or lost, which the next
conversion cashes in with everybody's.

Money is rounded once, for all chips that the seat has cashed in since it was left, so that several
corrections come to the same as one.
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
from ledger.services.hands.stored import HandChange
from ledger.services.session import reversals
from ledger.services.session.view import Rate, SeatView, SessionView

_LEAVINGS = kinds(lambda kind: kind.converts is ChipOwners.ONE)


class Settling(NamedTuple):
    """An entry to be written for the seat of a player who has left: its ``chips`` go to the bank.

    ``cashed`` chips become ``money``, which is None without a rate.
    """

    seat: SeatView
    chips: int
    cashed: int
    rate: Rate | None
    money: int | None
    currency: str

    @property
    def shown(self) -> AfterLeaving:
        """Return it in the form that previews and the API show."""
        return AfterLeaving(self.seat.name, self.chips, self.money, self.currency)


class _Left(NamedTuple):
    """The sums of a seat since its player left, by the leaving and by later changes of hands.

    ``rate`` is the leaving's. The leaving turned ``at_first`` chips into money, and together with the later
    changes ``cashed`` chips. ``more`` chips were won by these changes.
    """

    rate: Rate | None
    at_first: int
    cashed: int
    more: int

    @property
    def since(self) -> int | None:
        """The money due for changes of hands since; None if these stayed chips."""
        return None if self.cashed == self.at_first else self.money(self.at_first, self.cashed)

    def money(self, start: int, end: int) -> int | None:
        """Return the money due if the chips cashed in rise from ``start`` to ``end``; None without a rate."""
        if self.rate is None:
            return None
        before, after = (
            apportion.nearest(cashed, self.rate.money, self.rate.chips) for cashed in (start, end)
        )
        return after - before


_NO_LEAVING = _Left(None, 0, 0, 0)
"""A seat whose joining was undone, and a hand on it restored since."""


def plan(
    session: ScopedSession, view: SessionView, changes: Sequence[HandChange]
) -> tuple[Settling, ...]:
    """Return the entries that settle these changes of hands with players who have left.

    A score has no chips: it stays with the seat.
    """
    more = Counter[int]()
    gone = {seat.id for seat in view.seats if seat.has_left}
    for change in changes if gone else ():
        if change.says.unit == CHIPS:
            more.update({seat: amount for seat, amount in change.more.items() if seat in gone})
    if not any(more.values()):
        return ()
    left, currency = _left(session, view), clubs.row(session).currency
    return tuple(
        _settling(view, view.seat(seat_id), chips, left.get(seat_id), currency)
        for seat_id, chips in more.items()
        if chips
    )


def _settling(
    view: SessionView, seat: SeatView, chips: int, left: _Left | None, currency: str
) -> Settling:
    if left is None or left.rate is None or left.rate != view.rate:
        return Settling(seat, chips, 0, None, None, currency)
    cashed = seat.unpaid + chips
    money = left.money(left.cashed, left.cashed + cashed)
    return Settling(seat, chips, cashed, left.rate, money, currency)


def since(session: ScopedSession, view: SessionView) -> tuple[AfterLeaving, ...]:
    """Return the chips and money that later changes of hands brought each player who has left, if any."""
    if not any(seat.has_left for seat in view.seats):
        return ()
    left = _left(session, view)
    seats = [(seat.name, left[seat.id]) for seat in view.seats if seat.id in left]
    changed = [(name, each) for name, each in seats if each.more]
    if not changed:
        return ()
    currency = clubs.row(session).currency
    return tuple(AfterLeaving(name, each.more, each.since, currency) for name, each in changed)


def entries_since(session: ScopedSession, leaving: JournalEntry) -> list[JournalEntry]:
    """Return the entries by which changed hands were settled with a seat since it was left, newest first."""
    found = session.exec(
        select(JournalEntry)
        .where(JournalEntry.session_id == leaving.session_id, JournalEntry.id > leaving.id)
        .where(col(JournalEntry.hand_id).is_(None))
        .where(JournalEntry.kind == EntryKind.AFTER_LEAVING.value, reversals.stands())
        .order_by(col(JournalEntry.id).desc())
    )
    return [entry for entry in found if entry.details["seat"] == leaving.details["seat"]]


def chips(view: SessionView, settlings: Sequence[Settling]) -> Amounts:
    """Return the chips that settling moves, by the keys of the accounts."""
    moved = {seat_key(each.seat.id): -each.chips for each in settlings}
    if moved:
        moved[session_key(view.id, AccountKind.BANK)] = -sum(moved.values())
    return moved


def money(
    session: ScopedSession, view: SessionView, settlings: Sequence[Settling]
) -> tuple[Move, ...]:
    """Return the balances in money that settling moves. Raises ``BalanceTooLarge``."""
    paid = [each for each in settlings if each.money]
    moves: dict[str, Move] = {}
    for each in paid:
        key = key_of(AccountKind.PLAYER, None, None, each.seat.player_id, None, each.currency)
        before = moves.get(key) or _held(session, key, AccountKind.PLAYER, each)
        moves[key] = _moved(before, each.money or 0)
    if paid:
        till = _held(session, session_key(view.id, AccountKind.TILL), AccountKind.TILL, paid[0])
        moves["till"] = _moved(till, -sum(each.money or 0 for each in paid))
    for move in moves.values():
        must_fit(move.kind, move.name, move.balance, move.unit)
    return tuple(move for move in moves.values() if move.amount)


def _held(session: ScopedSession, key: str, kind: AccountKind, of: Settling) -> Move:
    held = session.exec(select(Account.balance).where(Account.key == key)).first() or 0
    name = of.seat.name if kind is AccountKind.PLAYER else kind.value
    return Move(kind.value, name, 0, held, of.currency)


def _moved(move: Move, amount: int) -> Move:
    return move._replace(amount=move.amount + amount, balance=move.balance + amount)


def entry(
    tx: WriteContext, view: SessionView, settling: Settling, number: int, reason: str | None
) -> Entry:
    """Return the entry that settles a change of hand ``number`` with one seat, and count it on the seat."""
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
    session.change(_OF_SEAT, {"seat": seat.id, "chips": amount, "cashed": settling.cashed})
    header = tx.header(view.id, EntryKind.AFTER_LEAVING, reason=reason, details=details)
    return Entry(header, amounts)


_OF_SEAT = Change(
    update(Seat)
    .where(col(Seat.id) == bindparam("seat"))
    .values(
        advanced=col(Seat.advanced) - bindparam("chips"),
        converted=col(Seat.converted) + bindparam("cashed"),
    ),
)


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
        .where(col(JournalEntry.kind).in_(_LEAVINGS), reversals.stands())
        .order_by(col(JournalEntry.id))
    ).all()
    found: dict[int, _Left] = {}
    for each, amount in rows:
        seat_id = each.details["seat"]
        cashed = each.details.get("converted", {}).get(str(seat_id), 0)
        if KINDS[each.kind].of_hand:
            left = found.get(seat_id, _NO_LEAVING)
            found[seat_id] = left._replace(
                cashed=left.cashed + cashed, more=left.more - (amount or 0)
            )
        else:
            rate = each.details.get("rate")
            found[seat_id] = _Left(rate and Rate(**rate), cashed, cashed, 0)
    return found
