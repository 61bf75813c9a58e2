"""From chips to money: the rate a table agrees on, and the conversion at the end.

What is converted is what each seat won or lost and has not cashed in yet. The rule, so that no
unit is lost: each exact share is rounded down, and the units left over go to the largest
fractions, equal ones clockwise by seat; the shares together are exactly what the till
holds for those who were cashed out before, and nothing where nobody was. Only those who have
something to convert share what is left over: a player who left and was paid stays paid, to the unit.
Everybody bears it only where nobody has anything left to convert.
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
from ledger.services.session.view import Rate, SeatView, SessionView, rate_of, view
from ledger.words import currencies
from ledger.words.problems import Conflict, Invalid, Unchanged

LONG_AFTER = timedelta(hours=12)
"""A conversion this long after the last hand counts on the day of that hand."""


class RateFixed(Conflict):
    """The rate can't change while somebody was paid by it and the others were not."""

    code = "rate-fixed"
    sentence = later(
        "Somebody was cashed out at {rate}, and the others get the same rate. Cash in "
        "the chips, or undo that leaving, to change it."
    )


@writes("set rate")
def set_rate(tx: WriteContext, session_id: int, *, rate: Rate | None) -> WriteResponse:
    """Agree on what chips are worth in a session; None plays for chips only.

    Raises ``Invalid`` at ``rate.chips`` or ``rate.money``, ``RateFixed``, ``ScoresNotChips``,
    ``Unchanged`` if that is the rate already, ``SessionClosed``, ``Stale``.
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
    """Return what converting would pay everybody at ``rate``, else at the session's, and what it waits for.

    Raises ``Invalid`` at ``rate.chips`` or ``rate.money``, ``RateFixed``, ``ScoresNotChips`` and
    ``SessionClosed`` where the conversion itself would be refused, ``NotFound``.
    """
    row = unclosed_row(session, session_id, None)
    return _quote(session, row, view(session, row), rate)


def _quote(
    session: ScopedSession, row: PlaySession, view: SessionView, rate: Rate | None
) -> ConversionQuote:
    if rate is not None:
        _must_be_free(session, row, rate)
    elif view.rate is None:
        must_be_in_chips(view)
    agreed, till, currency = (
        rate or view.rate,
        money_till.held(session, row.id),
        currency_of(session),
    )
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
    """Return when the last hand was played, if that was long ago: a conversion then counts as done.

    Treasurers look for an evening's money on its day, however late its chips are cashed in.
    """
    played: datetime | None = session.exec(
        select(func.max(HandVersionTable.played_at))
        .join(Hand, col(Hand.id) == HandVersionTable.hand_id)
        .where(HandVersionTable.session_id == row.id, HandVersionTable.version == Hand.version)
        .where(Hand.state == HandState.STANDING.value)
    ).one()
    return played if played is not None and now() - played >= LONG_AFTER else None


def _in_order(view: SessionView) -> list[SeatView]:
    """Return all seats clockwise, those that were left where they were."""
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
    """Cash in the chips of a session: every seat's to the bank, what it won to its player.

    ``rate`` settles the session's rate first. Can be done again after more hands or a correction.
    It counts as done at ``converted_at``, an instant or a day; without one, now or, long after the evening,
    at its last hand.
    Raises what ``quote`` raises, ``NotReady`` while something waits, ``Invalid`` at ``rate`` where there is
    none and at ``converted_at``, ``BalanceTooLarge``, ``Stale``.
    """
    session = tx.session
    row, view = unclosed(tx, session_id)
    shown = _quote(session, row, view, rate)
    if converted_at is not None:
        # A day becomes an instant here, so that a retry of the same form is the same request.
        instant = dates.at_or_during(converted_at, "converted_at")
        shown = replace(shown, converted_at=instant)
    agreed, currency = shown.rate, shown.currency
    if agreed is None:
        raise Invalid.at(
            "rate", "rate-missing", say("Agree on a rate first: how many chips for how much.")
        )
    blockers.must_be_empty(shown.waits)
    if not shown.anything:
        raise Conflict(say("There are no chips to cash in for “{title}”.", title=row.title))
    if shown.refusal is not None:
        raise shown.refusal

    def carry_out() -> WriteResponse:
        then = snapshot.standing(session, row)
        _agree(row, agreed)
        changed = snapshot.before(then, snapshot.standing(session, row))
        money = {till_of(session, row, currency).id: shown.paid_before}
        in_order = _in_order(view)
        for each, quoted in zip(in_order, shown.players, strict=True):
            theirs = account_of(session, each.player_id, currency)
            money[theirs.id] = money.get(theirs.id, 0) + (quoted.money or 0)
        found = session.exec(select(Seat).where(Seat.session_id == row.id))
        rows = {seat.id: seat for seat in found}
        won = [(rows[each.id], each.unpaid) for each in in_order]
        header = tx.header(
            session_id,
            EntryKind.CONVERSION,
            reason=reasons.optional(reason),
            details={**terms(agreed, won), **({"before": changed} if changed else {})},
            occurred_at=shown.converted_at,
        )
        chips = [(rows[each.id], -each.balance) for each in in_order if each.balance]
        entry = bank.move(session, header, chips, money)
        for seat, part in won:
            seat.converted += part
        row.revision += 1
        return {"revision": row.revision, "entry": entry}

    return WritePlan(shown, carry_out)


def terms(rate: Rate, won: list[tuple[Seat, int]]) -> dict[str, Any]:
    """Return what an entry keeps of a conversion: the rate, and how much of each seat's chips it was."""
    return {
        "rate": {"chips": rate.chips, "money": rate.money},
        "converted": {str(seat.id): part for seat, part in won if part},
    }


def currency_of(session: ScopedSession) -> str:
    """Return the currency the club keeps its money in."""
    return clubs.row(session).currency


def till_of(session: ScopedSession, row: PlaySession, currency: str) -> Account:
    """Return a session's till: what those cashed out early are owed by those who play on, negative."""
    return journal.open_account(session, AccountKind.TILL, session_id=row.id, unit=currency)


def account_of(session: ScopedSession, player_id: int, currency: str) -> Account:
    """Return a player's money account."""
    return journal.open_account(session, AccountKind.PLAYER, player_id=player_id, unit=currency)


def in_words(rate: Rate, currency: str) -> str:
    """Return a rate in words: "10 chips to 0.05 EUR".

    >>> in_words(Rate(10, 5), "EUR")
    '10 chips to 0.05 EUR'
    """
    worth = currencies.say(rate.money, currency)
    return say("{n:chip|chips} to {money}", n=rate.chips, money=worth)


def _must_be_free(session: ScopedSession, row: PlaySession, rate: Rate | None) -> None:
    """Raise a problem where a session can't be played at ``rate`` from now on."""
    old = rate_of(row)
    if old == rate:
        return
    currency = currency_of(session)
    if old is not None and money_till.paid_alone(session, row.id):
        raise RateFixed(rate=in_words(old, currency))
    if rate is not None:
        stakes.check_rate(rate.chips, rate.money, currency)
        if not view(session, row).in_chips:
            bank.must_be_for_chips(row.game, bank.ScoresNotChips.no_rate)


def _agree(row: PlaySession, rate: Rate | None) -> None:
    row.rate_chips, row.rate_money = (None, None) if rate is None else (rate.chips, rate.money)


def cashed_out(row: PlaySession, won: int) -> int | None:
    """Return what a player who leaves gets for the chips won, to the nearest unit; None without a rate."""
    rate = rate_of(row)
    if rate is None:
        return None
    return apportion.nearest(won, rate.money, rate.chips)
