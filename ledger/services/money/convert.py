"""From chips to money: the rate a table agrees on, and the conversion at the end.

What is converted is what each seat won or lost and has not cashed in yet. The rule, so that no
unit is lost: each exact share is rounded down, and the units left over go to the largest
fractions, equal ones clockwise by seat; the shares together are exactly what the till
holds for those who were cashed out before, and nothing where nobody was. Only those who have
something to convert share what is left over: a player who left and was paid stays paid, to the unit.
Everybody bears it only where nobody has anything left to convert.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlmodel import select

from ledger import currencies, journal
from ledger.balances import BalanceTooLarge
from ledger.currencies import MOST_MONEY
from ledger.models import Account, AccountKind, EntryKind, PlaySession, Seat
from ledger.problems import Conflict, Invalid, counted
from ledger.scope import ScopedSession
from ledger.services.chips import bank
from ledger.services.chips.bank import MOST_CHIPS, must_be_in_chips
from ledger.services.club import clubs
from ledger.services.common import apportion, reasons
from ledger.services.common.writing import Answer, Prepared, Writing, plans, writes
from ledger.services.money import blockers, quotes
from ledger.services.money import till as money_till
from ledger.services.money.quotes import ConversionQuote
from ledger.services.session import snapshot
from ledger.services.session.load import unclosed_row
from ledger.services.session.view import Rate, SeatView, rate_of, view


class RateFixed(Conflict):
    """The rate can't change while somebody was paid by it and the others were not."""

    code = "rate-fixed"
    sentence = (
        "Somebody was cashed out at {rate}, and the others get the same rate. Cash in the "
        "chips, or undo that leaving, to change it."
    )


class ConversionPlan(NamedTuple):
    """What converting a session comes to, worked out for the quote and for the conversion alike.

    ``rate`` is None where none was agreed on. ``till`` is what those who left before were paid, negative.
    ``paid`` is what each of ``seats``, clockwise, gets in minor units: nobody anything while there is not a
    rate, or something ``waits``.
    """

    rate: Rate | None
    currency: str
    till: int
    waits: Sequence[Account]
    seats: Sequence[SeatView]
    paid: Sequence[int]

    @property
    def anything(self) -> bool:
        """Whether there is anything to convert."""
        return self.till != 0 or any(seat.unpaid or seat.balance for seat in self.seats)


def plan_conversion(
    session: ScopedSession, row: PlaySession, rate: Rate | None = None
) -> ConversionPlan:
    """Plan to cash in the chips of a session that is not closed, at ``rate`` or the session's own.

    Raises ``RateFixed``, ``ScoresNotChips``, and ``Invalid`` at ``rate.chips`` or ``rate.money``.
    """
    shown = view(session, row)
    if rate is not None:
        _must_be_free(session, row, rate)
    elif shown.rate is None:
        must_be_in_chips(shown)
    agreed, till = rate or shown.rate, money_till.held(session, row.id)
    waiting = blockers.found(session, row.id)
    in_order = sorted(shown.seats, key=lambda seat: (seat.position, seat.id))
    won, paid = [seat.unpaid for seat in in_order], []
    if agreed is not None and not waiting:
        paid = apportion.by_largest_remainder(won, agreed.money, agreed.chips, till)
    return ConversionPlan(agreed, currency_of(session), till, waiting, in_order, paid)


@writes("set rate")
def set_rate(tx: Writing, session_id: int, *, rate: Rate | None) -> Answer:
    """Agree on what chips are worth in a session; None plays for chips only.

    Raises ``Invalid`` at ``rate.chips`` or ``rate.money``, ``RateFixed``, ``ScoresNotChips``, ``NotReady``
    while a hand stands that was played for scores, ``SessionClosed``, ``Stale``.
    """
    session = tx.session
    row = unclosed_row(session, session_id, tx.revision)
    then = snapshot.standing(session, row)
    _must_be_free(session, row, rate)
    if rate is not None and rate != rate_of(row):
        blockers.must_be_empty(blockers.scores(session, row.id), blockers.ways_out(session, row))
    _agree(row, rate)
    snapshot.note(tx, row, EntryKind.RATE_SET, then)
    row.revision += 1
    return {"session": row.id, "revision": row.revision}


def quote(session: ScopedSession, session_id: int, rate: Rate | None = None) -> ConversionQuote:
    """Return what converting would pay everybody at ``rate``, else at the session's, and what it waits for.

    Raises ``Invalid`` at ``rate.chips`` or ``rate.money``, ``RateFixed`` and ``SessionClosed`` where the
    conversion itself would be refused, ``NotFound``.
    """
    row = unclosed_row(session, session_id, None)
    return _quote(session, row, plan_conversion(session, row, rate))


def _quote(session: ScopedSession, row: PlaySession, plan: ConversionPlan) -> ConversionQuote:
    refusal: BalanceTooLarge | None = None
    try:
        quotes.must_fit(session, plan.currency, zip(plan.seats, plan.paid, strict=False))
    except BalanceTooLarge as too_large:
        refusal = too_large
    nothing: Sequence[int | None] = [None] * len(plan.seats)
    paid = plan.paid if plan.paid and refusal is None else nothing
    return ConversionQuote(
        plan.currency,
        plan.rate,
        -plan.till,
        tuple(map(partial(quotes.of_seat, row.revision), plan.seats, paid)),
        row.revision,
        plan.anything,
        tuple((each.name or each.kind, each.balance) for each in plan.waits),
        refusal,
        row.id,
        {seat.name: 0 for seat in plan.seats if not seat.has_left},
    )


@plans("convert")
def convert(
    tx: Writing, session_id: int, *, rate: Rate | None = None, reason: str | None = None
) -> Prepared[ConversionQuote]:
    """Cash in the chips of a session: every seat's to the bank, what it won to its player.

    ``rate`` settles the session's rate first. Can be done again after more hands or a correction.
    Raises what ``plan_conversion`` raises, ``NotReady`` while something waits, ``Invalid`` at ``rate`` where
    there is none, ``BalanceTooLarge``, ``SessionClosed``, ``Stale``.
    """
    session = tx.session
    row = unclosed_row(session, session_id, tx.revision)
    plan = plan_conversion(session, row, rate)
    if plan.rate is None:
        raise Invalid.at(
            "rate", "rate-missing", "Agree on a rate first: how many chips for how much."
        )
    blockers.must_be_empty(plan.waits, blockers.ways_out(session, row))
    if not plan.anything:
        raise Conflict(f"There are no chips to cash in for “{row.title}”.")
    shown = _quote(session, row, plan)
    if shown.refusal is not None:
        raise shown.refusal
    agreed, currency = plan.rate, plan.currency

    def carry_out() -> Answer:
        then = snapshot.standing(session, row)
        _agree(row, agreed)
        changed = snapshot.before(then, snapshot.standing(session, row))
        money = {till_of(session, row, currency).id: -plan.till}
        for each, amount in zip(plan.seats, plan.paid, strict=True):
            theirs = account_of(session, each.player_id, currency)
            money[theirs.id] = money.get(theirs.id, 0) + amount
        rows = _seats(session, row)
        won = [(rows[each.id], each.unpaid) for each in plan.seats]
        header = tx.header(
            session_id,
            EntryKind.CONVERSION,
            reason=reasons.optional(reason),
            details={**terms(agreed, won), **({"before": changed} if changed else {})},
        )
        chips = [(rows[each.id], -each.balance) for each in plan.seats if each.balance]
        entry = bank.move(session, header, chips, money)
        for seat, part in won:
            seat.converted += part
        row.revision += 1
        return {"revision": row.revision, "entry": entry.id}

    return Prepared(shown, carry_out)


def terms(rate: Rate, won: list[tuple[Seat, int]]) -> dict[str, Any]:
    """Return what an entry keeps of a conversion: the rate, and how much of each seat's chips it was."""
    return {
        "rate": {"chips": rate.chips, "money": rate.money},
        "converted": {str(seat.id): part for seat, part in won if part},
    }


def check_rate(rate: Rate, currency: str) -> tuple[int, int]:
    """Return how many chips are worth how many minor units of money. Raises ``Invalid``."""
    most = currencies.payable(currency)
    for field, number in (("chips", rate.chips), ("money", rate.money)):
        if not 0 < number <= (MOST_CHIPS if field == "chips" else MOST_MONEY):
            raise Invalid.at(
                f"rate.{field}",
                "rate-out-of-range",
                "The rate says how many chips are worth how much money: "
                f"1 to {MOST_CHIPS:,} chips, {most}.",
            )
    return rate.chips, rate.money


def currency_of(session: ScopedSession) -> str:
    """Return the currency the club keeps its money in."""
    return clubs.row(session).currency


def till_of(session: ScopedSession, row: PlaySession, currency: str) -> Account:
    """Return a session's till: what those cashed out early are owed by those who play on, negative."""
    return journal.open_account(session, AccountKind.TILL, session_id=row.id, unit=currency)


def account_of(session: ScopedSession, player_id: int, currency: str) -> Account:
    """Return a player's money account."""
    return journal.open_account(session, AccountKind.PLAYER, player_id=player_id, unit=currency)


def say(rate: Rate, currency: str) -> str:
    """Return a rate in words: "10 chips to 0.05 EUR".

    >>> say(Rate(10, 5), "EUR")
    '10 chips to 0.05 EUR'
    """
    return f"{counted(rate.chips, 'chip')} to {currencies.say(rate.money, currency)}"


def _must_be_free(session: ScopedSession, row: PlaySession, rate: Rate | None) -> None:
    """Raise a problem where a session can't be played at ``rate`` from now on."""
    old = rate_of(row)
    if old == rate:
        return
    currency = currency_of(session)
    if old is not None and money_till.paid_alone(session, row.id):
        raise RateFixed(rate=say(old, currency))
    if rate is not None:
        check_rate(rate, currency)
        bank.must_be_for_chips(row.game, ", so there is no rate to agree on")


def _agree(row: PlaySession, rate: Rate | None) -> None:
    row.rate_chips, row.rate_money = (None, None) if rate is None else (rate.chips, rate.money)


def cashed_out(session: ScopedSession, row: PlaySession, won: int) -> int | None:
    """Return what a player who leaves gets for the chips won, to the nearest unit; None without a rate.

    Raises ``NotReady`` where scores are not paid by anybody.
    """
    rate = rate_of(row)
    if rate is None:
        return None
    blockers.must_be_payments(session, row)
    return apportion.nearest(won, rate.money, rate.chips)


def _seats(session: ScopedSession, row: PlaySession) -> dict[int, Seat]:
    found = session.exec(select(Seat).where(Seat.session_id == row.id))
    return {seat.id: seat for seat in found}
