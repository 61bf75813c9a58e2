"""Quotes: what cashing out or converting would come to, by the code that does it; nothing is written."""

from dataclasses import dataclass

from ledger.access import Access
from ledger.db import Database
from ledger.services import money, seats, session_view, shares, tills, waits
from ledger.services.session_view import (
    Rate,
    SeatView,
    SessionView,
    load,
    unclosed_row,
)


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
    score stands. ``revision`` is the session's that it was read at.
    """

    currency: str
    rate: Rate | None
    paid_before: int
    players: tuple[Quote, ...]
    revision: int
    waits: tuple[tuple[str, int], ...] = ()

    @property
    def anything(self) -> bool:
        """Whether there is anything to convert."""
        return self.paid_before != 0 or any(quote.won or quote.chips for quote in self.players)


def leaving(db: Database, access: Access, session_id: int, *, player: str) -> Quote:
    """Return what a player would leave with now.

    Raises ``Invalid`` at ``player``, ``NotReady`` and ``SessionClosed`` where the leaving itself would be
    refused, ``NotFound``.
    """
    with db.read(access) as session:
        row = unclosed_row(session, session_id, None)
        leaver, _ = seats.here(session, row, player)
        view = session_view.view(session, row)
        seat = next(seat for seat in view.present if seat.id == leaver.id)
        return _quote(view, seat, money.cashed_out(session, row, seat.net - seat.converted))


def conversion(
    db: Database, access: Access, session_id: int, rate: Rate | None = None
) -> ConversionQuote:
    """Return what converting would pay everybody at ``rate``, else at the session's.

    Raises ``Invalid`` at ``rate.chips`` or ``rate.money``, ``NotFound``.
    """
    with db.read(access) as session:
        view = load(session, session_id)
        currency = money.currency_of(session)
        if rate is not None:
            money.check_rate(rate, currency)
        till = tills.held(session, session_id)
        held = waits.found(session, session_id)
    waiting = [(each.name or each.kind, each.balance) for each in held]
    agreed = rate or view.rate
    in_order = sorted(view.seats, key=lambda seat: (seat.position, seat.id))
    paid: list[int] | list[None] = [None] * len(in_order)
    if agreed is not None and not waiting:
        won = [seat.net - seat.converted for seat in in_order]
        paid = shares.by_largest_remainder(won, agreed.money, agreed.chips, till)
    return ConversionQuote(
        currency,
        agreed,
        -till,
        tuple(_quote(view, seat, amount) for seat, amount in zip(in_order, paid, strict=True)),
        view.revision,
        tuple(waiting),
    )


def _quote(view: SessionView, seat: SeatView, paid: int | None) -> Quote:
    won = seat.net - seat.converted
    return Quote(seat.name, seat.balance, seat.lent, won, paid, view.revision)
