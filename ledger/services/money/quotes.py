"""Quotes: what cashing out or converting would come to, by the code that does it; nothing is written."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from sqlmodel import col, select

from ledger.balances import BalanceTooLarge
from ledger.models import Account, AccountKind
from ledger.scope import ScopedSession
from ledger.services.hands import preview as previews
from ledger.services.money import convert as money
from ledger.services.money import till as money_till
from ledger.services.money.convert import ConversionPlan
from ledger.services.session import seats
from ledger.services.session.load import unclosed_row
from ledger.services.session.view import Rate, SeatView, view


@dataclass(frozen=True, slots=True)
class Quote:
    """What one player would get: ``won`` chips of the ``chips`` in hand are theirs, ``money`` for them.

    ``borrowed`` are the chips that go back to the bank; ``money`` is in minor units, None without a rate.
    ``revision`` is the session's that it was read at.
    """

    player: str
    chips: int
    borrowed: int
    won: int
    money: int | None
    revision: int


@dataclass(frozen=True, slots=True)
class ConversionQuote:
    """What everybody would get.

    ``paid_before`` is what those who left were paid (negative: what they paid), in minor units. ``waits``
    names what comes first, with its chips: pots and ``differences`` that are not 0, the ``world`` while any
    score stands. ``refusal`` says why it can't be done at this rate, as converting would. ``anything``: there
    is something to convert. ``revision`` is the session's that it was read at.
    """

    currency: str
    rate: Rate | None
    paid_before: int
    players: tuple[Quote, ...]
    revision: int
    anything: bool
    waits: tuple[tuple[str, int], ...] = ()
    refusal: BalanceTooLarge | None = None


def leaving(session: ScopedSession, session_id: int, *, player: str) -> Quote:
    """Return what a player would leave with now.

    Raises ``Invalid`` at ``player``, ``NotReady``, ``BalanceTooLarge`` and ``SessionClosed`` where the
    leaving itself would be refused, ``NotFound``.
    """
    row = unclosed_row(session, session_id, None)
    leaver, _ = seats.here(session, row, player)
    shown = view(session, row)
    seat = shown.seat(leaver.id)
    paid = money.cashed_out(session, row, seat.unpaid)
    if paid is not None:
        currency = money.currency_of(session)
        _must_fit(session, currency, [(seat, paid)])
        till = money_till.held(session, session_id) - paid
        previews.must_fit(AccountKind.TILL, "", till, currency)
    return _quote(shown.revision, seat, paid)


def conversion(
    session: ScopedSession, session_id: int, rate: Rate | None = None
) -> ConversionQuote:
    """Return what converting would pay everybody at ``rate``, else at the session's.

    Raises ``Invalid`` at ``rate.chips`` or ``rate.money``, ``RateFixed`` and ``SessionClosed`` where the
    conversion itself would be refused, ``NotFound``. What it waits for first is part of the quote.
    """
    row = unclosed_row(session, session_id, None)
    plan = money.plan_conversion(session, row, rate)
    refusal = _refusal(session, plan)
    paid: Sequence[int | None] = [None] * len(plan.seats)
    if plan.paid and refusal is None:
        paid = plan.paid
    return ConversionQuote(
        plan.currency,
        plan.rate,
        -plan.till,
        tuple(map(partial(_quote, row.revision), plan.seats, paid)),
        row.revision,
        plan.anything,
        tuple((each.name or each.kind, each.balance) for each in plan.waits),
        refusal,
    )


def _refusal(session: ScopedSession, plan: ConversionPlan) -> BalanceTooLarge | None:
    """Say whose account could not hold what a conversion would pay."""
    try:
        _must_fit(session, plan.currency, zip(plan.seats, plan.paid, strict=False))
    except BalanceTooLarge as too_large:
        return too_large
    return None


def _must_fit(session: ScopedSession, currency: str, paid: Iterable[tuple[SeatView, int]]) -> None:
    """Refuse what would not go onto a player's account. Raises ``BalanceTooLarge``."""
    names: dict[int, str] = {}
    after: Counter[int] = Counter()
    for seat, amount in paid:
        names[seat.player_id] = seat.name
        after[seat.player_id] += amount
    for account in session.exec(
        select(Account)
        .where(Account.kind == AccountKind.PLAYER.value, Account.unit == currency)
        .where(col(Account.player_id).in_(names))
    ):
        after[account.player_id or 0] += account.balance
    for player_id, name in names.items():
        previews.must_fit(AccountKind.PLAYER, name, after[player_id], currency)


def _quote(revision: int, seat: SeatView, paid: int | None) -> Quote:
    return Quote(seat.name, seat.balance, seat.lent, seat.unpaid, paid, revision)
