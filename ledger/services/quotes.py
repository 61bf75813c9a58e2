"""Quotes: what cashing out or converting would come to, by the code that does it; nothing is written."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ledger.access import Access
from ledger.db import Database
from ledger.services import money, seats
from ledger.services.session_view import Rate, SeatView, unclosed_row, view


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
    score stands. ``anything``: there is something to convert. ``revision`` is the session's that it was
    read at.
    """

    currency: str
    rate: Rate | None
    paid_before: int
    players: tuple[Quote, ...]
    revision: int
    anything: bool
    waits: tuple[tuple[str, int], ...] = ()


def leaving(db: Database, access: Access, session_id: int, *, player: str) -> Quote:
    """Return what a player would leave with now.

    Raises ``Invalid`` at ``player``, ``NotReady`` and ``SessionClosed`` where the leaving itself would be
    refused, ``NotFound``.
    """
    with db.read(access) as session:
        row = unclosed_row(session, session_id, None)
        leaver, _ = seats.here(session, row, player)
        shown = view(session, row)
        seat = shown.seat(leaver.id)
        return _quote(shown.revision, seat, money.cashed_out(session, row, seat.unpaid))


def conversion(
    db: Database, access: Access, session_id: int, rate: Rate | None = None
) -> ConversionQuote:
    """Return what converting would pay everybody at ``rate``, else at the session's.

    Raises ``Invalid`` at ``rate.chips`` or ``rate.money``, ``RateFixed`` and ``SessionClosed`` where the
    conversion itself would be refused, ``NotFound``. What it waits for first is part of the quote.
    """
    with db.read(access) as session:
        row = unclosed_row(session, session_id, None)
        plan = money.plan_conversion(session, row, rate)
        paid: Sequence[int | None] = plan.paid or [None] * len(plan.seats)
        return ConversionQuote(
            plan.currency,
            plan.rate,
            -plan.till,
            tuple(map(partial(_quote, row.revision), plan.seats, paid)),
            row.revision,
            plan.anything,
            tuple((each.name or each.kind, each.balance) for each in plan.waits),
        )


def _quote(revision: int, seat: SeatView, paid: int | None) -> Quote:
    return Quote(seat.name, seat.balance, seat.lent, seat.unpaid, paid, revision)
