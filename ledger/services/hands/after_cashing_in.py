"""Cashing in the difference when a hand of a closed evening changes whose chips became money before.

The evening stays closed. An entry of kind ``conversion`` follows the hand's entries in the same write. It
pays the difference between one conversion of all these chips after the change and one before it. So an
evening that was converted once has the money of a new conversion, and undoing the change restores every sum.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from sqlmodel import col, select

from engine.rules.sheet import CHIPS
from engine.words.sentences import say
from ledger.books import journal
from ledger.database.kinds.accounts import AccountKind, Amounts, key_of, read_key, seat_key
from ledger.database.kinds.entries import ChipOwners, kinds
from ledger.database.models import Account, EntryKind, JournalEntry, Posting, SessionState
from ledger.database.scope import ScopedSession
from ledger.services.club import clubs
from ledger.services.common import apportion
from ledger.services.common.writing import WriteContext
from ledger.services.hands.after_leaving import CASH_IN_AT_SEAT, Settling
from ledger.services.hands.plan import PlannedChange
from ledger.services.hands.preview import CashedInAgain, Move, must_fit
from ledger.services.session import reversals
from ledger.services.session.hand_versions import AFTER_HAND, CAUSE
from ledger.services.session.view import Rate, SeatView, SessionView
from ledger.words.problems import Conflict

_CONVERSIONS = kinds(lambda kind: kind.converts is ChipOwners.ALL)


class Reconversion(NamedTuple):
    """The conversion of the differences that a change of a hand makes, at the rate of the earlier ones.

    ``seats`` are as they are after the change, in the order of the table. ``money`` is paid to each player,
    ``till`` to the till. ``sums`` are the players' chips and money for previews.
    """

    rate: Rate
    currency: str
    occurred_at: datetime
    seats: tuple[SeatView, ...]
    money: Mapping[int, int]
    till: int
    sums: tuple[CashedInAgain, ...]


class _Converted(NamedTuple):
    """The sums of a session's conversions in force at its rate; chips are by seat, money by player."""

    occurred_at: datetime
    chips: Mapping[str, int]
    money: Mapping[int, int]
    till: int


def seats_after(view: SessionView, change: PlannedChange) -> tuple[SeatView, ...]:
    """Return the seats by position as they are after a change of a hand, with its settlements."""
    if change.changes[0].new.unit != CHIPS:
        return view.seats
    settled = {settling.seat.id: settling for settling in change.settlings}
    seats = (_after(seat, change.moved, settled.get(seat.id)) for seat in view.seats)
    return tuple(sorted(seats, key=lambda seat: (seat.position, seat.id)))


def _after(seat: SeatView, moved: Amounts, settling: Settling | None) -> SeatView:
    chips, cashed = (settling.chips, settling.cashed) if settling else (0, 0)
    return seat._replace(
        balance=seat.balance + moved.get(seat_key(seat.id), 0),
        advanced=seat.advanced - chips,
        converted=seat.converted + cashed,
    )


def plan(session: ScopedSession, view: SessionView, change: PlannedChange) -> Reconversion | None:
    """Return the conversion that follows a change of a hand in a closed evening that was cashed in.

    None for an open evening, for one with chips still to be cashed in, and if neither chips nor money move.
    Raises ``Conflict`` if a pot would hold chips.
    """
    rate = view.rate
    if view.state != SessionState.CLOSED or rate is None or any(seat.unpaid for seat in view.seats):
        return None
    seats = seats_after(view, change)
    settled = sum(settling.money or 0 for settling in change.settlings)
    if not any(seat.unpaid for seat in seats) and not settled:
        return None
    before = _converted(session, view, rate)
    if before is None:
        return None
    _must_leave_pots_empty(change.moved)
    currency = clubs.row(session).currency
    old_chips = [before.chips.get(str(seat.id), 0) for seat in seats]
    new_chips = [old + seat.unpaid for old, seat in zip(old_chips, seats, strict=True)]
    divide, value = apportion.by_largest_remainder, (rate.money, rate.chips)
    old_shares = divide(old_chips, *value, -before.till)
    new_shares = divide(new_chips, *value, -before.till - settled)
    money, now = Counter[int](), Counter[int]()
    for seat, old, new, chips in zip(seats, old_shares, new_shares, new_chips, strict=True):
        money[seat.player_id] += new - old
        now[seat.player_id] += chips
    money_after = {
        player_id: before.money.get(player_id, 0) + paid for player_id, paid in money.items()
    }
    sums = _sums(seats, before, now, money_after, currency)
    return Reconversion(rate, currency, before.occurred_at, seats, money, settled, sums)


def _sums(
    seats: tuple[SeatView, ...],
    before: _Converted,
    chips: Mapping[int, int],
    money: Mapping[int, int],
    currency: str,
) -> tuple[CashedInAgain, ...]:
    """Return each player's chips and money, without those who left and never had chips to convert."""
    before_chips = Counter[int]()
    for seat in seats:
        before_chips[seat.player_id] += before.chips.get(str(seat.id), 0)
    names = {seat.player_id: seat.name for seat in seats}
    present = {seat.player_id for seat in seats if not seat.has_left}
    lines = {
        player_id: CashedInAgain(
            name,
            before_chips[player_id],
            chips[player_id],
            before.money.get(player_id, 0),
            money[player_id],
            currency,
        )
        for player_id, name in names.items()
    }
    return tuple(
        line
        for player_id, line in lines.items()
        if player_id in present or line.chips or line.chips_before
    )


def chips(reconversion: Reconversion | None, view: SessionView) -> Amounts:
    """Return the chips that return to the bank, by account key."""
    if reconversion is None:
        return {}
    moved = {seat_key(seat.id): -seat.balance for seat in reconversion.seats if seat.balance}
    bank = key_of(AccountKind.BANK, view.id, None, None, None, CHIPS)
    return {**moved, bank: -sum(moved.values())}


def money(
    session: ScopedSession, reconversion: Reconversion, settlings: tuple[Settling, ...]
) -> tuple[Move, ...]:
    """Return the moves of the players' money by a reconversion and settlements; the till's sum is 0.

    Raises ``BalanceTooLarge``.
    """
    amounts, currency = Counter(reconversion.money), reconversion.currency
    for settling in settlings:
        amounts[settling.seat.player_id] += settling.money or 0
    query = select(Account.player_id, Account.balance).where(
        Account.kind == AccountKind.PLAYER.value,
        Account.unit == currency,
        col(Account.player_id).in_(amounts),
    )
    balances = dict(session.exec(query).all())
    names = {seat.player_id: seat.name for seat in reconversion.seats}
    moves = []
    for player_id, amount in amounts.items():
        balance = balances.get(player_id, 0) + amount
        must_fit(AccountKind.PLAYER, names[player_id], balance, currency)
        if amount:
            kind = AccountKind.PLAYER.value
            moves.append(Move(kind, names[player_id], amount, balance, currency))
    return tuple(moves)


def write(
    tx: WriteContext, view: SessionView, reconversion: Reconversion, number: int, reason: str
) -> None:
    """Write the conversion after the entries of hand ``number``, and count its chips on the seats."""
    session, unit = tx.session, reconversion.currency
    seats = reconversion.seats
    bank = journal.open_account(session, AccountKind.BANK, session_id=view.id)
    till = journal.open_account(session, AccountKind.TILL, session_id=view.id, unit=unit)
    amounts = {seat.account_id: -seat.balance for seat in seats if seat.balance}
    amounts[bank.id] = -sum(amounts.values())
    amounts[till.id] = reconversion.till
    for player_id, paid in reconversion.money.items():
        if paid:
            player = journal.open_account(
                session, AccountKind.PLAYER, player_id=player_id, unit=unit
            )
            amounts[player.id] = paid
    details: dict[str, Any] = {
        "rate": asdict(reconversion.rate),
        "converted": {str(seat.id): seat.unpaid for seat in seats if seat.unpaid},
        "hand": number,
        CAUSE: {AFTER_HAND: number},
    }
    header = tx.header(view.id, EntryKind.CONVERSION, reason=reason, details=details)
    journal.post(session, header._replace(occurred_at=reconversion.occurred_at), amounts)
    rows = [
        {"seat": seat.id, "chips": seat.balance, "cashed": seat.unpaid}
        for seat in seats
        if seat.balance or seat.unpaid
    ]
    session.change(CASH_IN_AT_SEAT, *rows)


def _must_leave_pots_empty(moved: Amounts) -> None:
    """Raise ``Conflict`` if a change moves chips of a pot, which was empty when the chips were cashed in."""
    for key, amount in moved.items():
        kind, name = read_key(key)
        if kind is AccountKind.POT and amount:
            raise Conflict(
                say(
                    "With this change the {pot:term} would end with {n:chip|chips}, but the chips "
                    "of this evening are cashed in. Reopen the session, undo the conversion, change "
                    "the hand and share the pot out; then cash in again.",
                    pot=f"{name} pot",
                    n=amount,
                )
            )


def _converted(session: ScopedSession, view: SessionView, rate: Rate) -> _Converted | None:
    """Return the sums of the session's conversions in force at this rate; None without one."""
    rows = session.exec(
        select(JournalEntry, Account, Posting.amount)
        .outerjoin(
            Posting,
            (col(Posting.entry_id) == JournalEntry.id) & (col(Posting.amount) != 0),
        )
        .outerjoin(Account, col(Account.id) == Posting.account_id)
        .where(JournalEntry.session_id == view.id, col(JournalEntry.kind).in_(_CONVERSIONS))
        .where(reversals.in_force())
        .order_by(col(JournalEntry.id))
    ).all()
    rows = [row for row in rows if row[0].details.get("rate") == asdict(rate)]
    if not rows:
        return None
    chips, money, till = Counter[str](), Counter[int](), 0
    for entry in {entry.id: entry for entry, _, _ in rows}.values():
        chips.update(entry.details.get("converted", {}))
    for _, account, amount in rows:
        if account is not None and account.kind == AccountKind.TILL:
            till += amount
        elif account is not None and account.player_id is not None:
            money[account.player_id] += amount
    first = rows[0][0]
    return _Converted(first.occurred_at, chips, money, till)
