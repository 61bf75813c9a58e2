"""The conversion of chips to money: the rate a table agrees on, and cashing in at the end.

Converted are each seat's winnings and losses that were not cashed in yet. So that no unit is lost, each exact
share is rounded down, and the units left over go to the largest fractions, equal ones clockwise by seat. The
shares sum to the opposite of the till, which is 0 if nobody was cashed out before. Only seats with chips to
convert share the units left over, so that an earlier cash-out stays as it is; all share them if
no seat has chips to convert.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from sqlmodel import col, func, select

from engine.words.sentences import later, say
from ledger.books import journal
from ledger.books.balances import BalanceTooLarge
from ledger.database.models import (
    Account,
    AccountKind,
    EntryKind,
    Hand,
    HandState,
    HandVersionTable,
    PlaySession,
    Seat,
)
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import now
from ledger.services.chips import bank
from ledger.services.chips.bank import must_be_in_chips
from ledger.services.club import clubs
from ledger.services.common import apportion, dates, reasons, stakes
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse, plans, writes
from ledger.services.hands import after_leaving
from ledger.services.money import blockers, quotes
from ledger.services.money import till as money_till
from ledger.services.money.quotes import ConversionQuote
from ledger.services.session import seats, snapshot
from ledger.services.session.load import unclosed, unclosed_row
from ledger.services.session.view import Rate, SeatView, SessionView, load, rate_of
from ledger.words import currencies
from ledger.words.problems import Conflict, Invalid, Unchanged

LONG_AFTER = timedelta(hours=12)
"""The time after the last hand from which a conversion counts on the day of that hand."""


class RateFixed(Conflict):
    """Raised when the rate would change after somebody, but not everybody, was paid by it."""

    code = "rate-fixed"
    sentence = later(
        "Somebody was cashed out at {rate}, and the others get the same rate. Cash in "
        "the chips, or undo that leaving, to change it."
    )


@writes("set rate")
def set_rate(tx: WriteContext, session_id: int, *, rate: Rate | None) -> WriteResponse:
    """Set the rate of a session's chips, which counts for later conversions; None means no money.

    Raises ``Invalid`` at ``rate.chips`` or ``rate.money``, ``RateFixed``, ``ScoresNotChips``, ``Unchanged``,
    ``SessionClosed`` and ``Stale``.
    """
    session = tx.session
    row = unclosed_row(session, session_id, tx.seen)
    if rate == rate_of(row):
        raise Unchanged
    then = snapshot.standing(session, row)
    _must_be_free(session, row, rate)
    _agree(row, rate)
    return seats.changed(tx, row, snapshot.note(tx, row, EntryKind.RATE_SET, then))


def quote(session: ScopedSession, session_id: int, rate: Rate | None = None) -> ConversionQuote:
    """Return the payments of a conversion at ``rate``, by default the session's, and its blockers.

    Nothing is written. The payments are None without a rate, while a blocker remains, or if one is too large,
    which is then the quote's ``refusal``. Raises ``NotFound`` and, like the conversion itself, ``Invalid`` at
    ``rate.chips`` or ``rate.money``, ``RateFixed``, ``ScoresNotChips`` and ``SessionClosed``.
    """
    row = unclosed_row(session, session_id, None)
    return _quote(session, row, load(session, row.id), rate)


def _quote(
    session: ScopedSession, row: PlaySession, view: SessionView, rate: Rate | None
) -> ConversionQuote:
    if rate is not None:
        _must_be_free(session, row, rate)
    elif view.rate is None:
        must_be_in_chips(view)
    agreed, till = rate or view.rate, money_till.balance(session, row.id)
    currency = currency_of(session)
    waits, seats = blockers.of_conversion(session, row.id), _in_order(view)
    paid: Sequence[int | None] = [None] * len(seats)
    refusal: BalanceTooLarge | None = None
    if agreed is not None and not waits:
        won = [seat.unpaid for seat in seats]
        shares = apportion.by_largest_remainder(won, agreed.money, agreed.chips, till)
        try:
            quotes.must_fit(session, currency, zip(seats, shares, strict=True))
            paid = shares
        except BalanceTooLarge as too_large:
            refusal = too_large
    return ConversionQuote(
        currency,
        agreed,
        -till,
        tuple(map(partial(quotes.of_seat, row.revision), seats, paid)),
        row.revision,
        till != 0 or any(seat.unpaid or seat.balance for seat in seats),
        waits,
        refusal,
        row.id,
        {seat.name: 0 for seat in seats if not seat.has_left},
        after_leaving.since(session, view),
        _long_ago(session, row),
    )


def _long_ago(session: ScopedSession, row: PlaySession) -> datetime | None:
    """Return the time of the last standing hand if it is at least ``LONG_AFTER`` ago, else None.

    A conversion counts as done at that time: treasurers look for an evening's money on its day, however late
    its chips are cashed in.
    """
    played: datetime | None = session.exec(
        select(func.max(HandVersionTable.played_at))
        .join(Hand, col(Hand.id) == HandVersionTable.hand_id)
        .where(HandVersionTable.session_id == row.id, HandVersionTable.version == Hand.version)
        .where(Hand.state == HandState.STANDING.value)
    ).one()
    return played if played is not None and now() - played >= LONG_AFTER else None


def _in_order(view: SessionView) -> list[SeatView]:
    """Return all seats by position, clockwise; one that was left stands at its last position."""
    return sorted(view.seats, key=lambda seat: (seat.position, seat.id))


@plans("convert")
def convert(
    tx: WriteContext,
    session_id: int,
    *,
    rate: Rate | None = None,
    reason: str | None = None,
    converted_at: datetime | date | None = None,
) -> WritePlan[ConversionQuote]:
    """Cash in a session's chips: they return to the bank, and winnings become money of the players.

    A conversion can be repeated after more hands or a correction. Raises as ``quote`` does, ``NotReady``,
    ``Conflict`` if no chips can be cashed in, ``Invalid`` at ``rate`` if there is none and at
    ``converted_at``, ``BalanceTooLarge``, and ``Stale``.

    Args:
        tx: The write.
        session_id: The session.
        rate: The rate to set first.
        reason: The reason to record.
        converted_at: The time or day it counts as done; by default now or, long after the evening, the time
            of its last hand.
    """
    return plan_conversion(tx, session_id, rate=rate, reason=reason, converted_at=converted_at)


def plan_conversion(
    tx: WriteContext,
    session_id: int,
    *,
    rate: Rate | None = None,
    reason: str | None = None,
    converted_at: datetime | date | None = None,
) -> WritePlan[ConversionQuote]:
    """Plan the conversion of ``convert`` in the caller's write."""
    session = tx.session
    row, view = unclosed(tx, session_id)
    offer = _quote(session, row, view, rate)
    if converted_at is not None:
        # A day becomes an instant here, so that a retry of the same form is the same request.
        instant = dates.at_or_during(converted_at, "converted_at")
        offer = replace(offer, converted_at=instant)
    agreed, currency = offer.rate, offer.currency
    if agreed is None:
        raise Invalid.at(
            "rate", "rate-missing", say("Agree on a rate first: how many chips for how much.")
        )
    blockers.must_be_empty(offer.waits)
    if not offer.anything:
        raise Conflict(say("There are no chips to cash in for “{title}”.", title=row.title))
    if offer.refusal is not None:
        raise offer.refusal

    def carry_out() -> WriteResponse:
        then = snapshot.standing(session, row)
        _agree(row, agreed)
        changed = snapshot.before(then, snapshot.standing(session, row))
        money = {till_of(session, row, currency).id: offer.paid_before}
        in_order = _in_order(view)
        for seat_view, quoted in zip(in_order, offer.players, strict=True):
            account = account_of(session, seat_view.player_id, currency)
            money[account.id] = money.get(account.id, 0) + (quoted.money or 0)
        seat_rows = session.exec(select(Seat).where(Seat.session_id == row.id))
        rows = {seat.id: seat for seat in seat_rows}
        won = [(rows[seat.id], seat.unpaid) for seat in in_order]
        header = tx.header(
            session_id,
            EntryKind.CONVERSION,
            reason=reasons.optional(reason),
            details={**terms(agreed, won), **({"before": changed} if changed else {})},
            occurred_at=offer.converted_at,
        )
        chips = [(rows[seat.id], -seat.balance) for seat in in_order if seat.balance]
        entry = bank.move(session, header, chips, money)
        for seat, part in won:
            seat.converted += part
        row.revision += 1
        return {"revision": row.revision, "entry": entry}

    return WritePlan(offer, carry_out)


def terms(rate: Rate, won: list[tuple[Seat, int]]) -> dict[str, Any]:
    """Return the details of a conversion's entry: the rate, and the converted chips by seat id, as JSON.

    Seats with 0 are left out.
    """
    return {
        "rate": {"chips": rate.chips, "money": rate.money},
        "converted": {str(seat.id): part for seat, part in won if part},
    }


def currency_of(session: ScopedSession) -> str:
    """Return the code of the club's currency, such as "EUR"."""
    return clubs.row(session).currency


def must_be_payable(amount: int, currency: str) -> None:
    """Raise ``Invalid`` at ``amount`` for no money, or more than a payment may have; in minor units."""
    if not 0 < amount <= currencies.MOST_MONEY:
        raise Invalid.at(
            "amount",
            "amount-out-of-range",
            say("Say how much was paid, from {payable}.", payable=currencies.payable(currency)),
        )


def till_of(session: ScopedSession, row: PlaySession, currency: str) -> Account:
    """Return a session's till, created if it doesn't exist.

    Its balance, if negative, is the debt of the remaining players to those cashed out early.
    """
    return journal.open_account(session, AccountKind.TILL, session_id=row.id, unit=currency)


def account_of(session: ScopedSession, player_id: int, currency: str) -> Account:
    """Return a player's money account in a currency, created if it doesn't exist."""
    return journal.open_account(session, AccountKind.PLAYER, player_id=player_id, unit=currency)


def in_words(rate: Rate, currency: str) -> str:
    """Return a rate in words: "10 chips to 0.05 EUR".

    >>> in_words(Rate(10, 5), "EUR")
    '10 chips to 0.05 EUR'
    """
    worth = currencies.say(rate.money, currency)
    return say("{n:chip|chips} to {money}", n=rate.chips, money=worth)


def _must_be_free(session: ScopedSession, row: PlaySession, rate: Rate | None) -> None:
    """Raise ``RateFixed``, ``Invalid`` or ``ScoresNotChips`` if a session's rate can't change to ``rate``."""
    old = rate_of(row)
    if old == rate:
        return
    currency = currency_of(session)
    if old is not None and money_till.paid_alone(session, row.id):
        raise RateFixed(rate=in_words(old, currency))
    if rate is not None:
        stakes.check_rate(rate.chips, rate.money, currency)
        if not load(session, row.id).in_chips:
            bank.must_be_for_chips(row.game, bank.ScoresNotChips.no_rate)


def _agree(row: PlaySession, rate: Rate | None) -> None:
    row.rate_chips, row.rate_money = (None, None) if rate is None else (rate.chips, rate.money)


def cashed_out(row: PlaySession, won: int) -> int | None:
    """Return the money, to the nearest minor unit, for chips won (or, negative, lost) at a session's rate.

    Without a rate it is None.
    """
    rate = rate_of(row)
    if rate is None:
        return None
    return apportion.nearest(won, rate.money, rate.chips)
