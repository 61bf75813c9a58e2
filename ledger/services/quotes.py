"""Quotes: what cashing out or converting would come to, by the code that does it; nothing is written."""

from dataclasses import dataclass

from ledger.access import Access
from ledger.db import Database
from ledger.problems import Invalid
from ledger.services import money, names, session_view, shares, tills, waits
from ledger.services.session_view import Rate, SeatView, load, unclosed_row


@dataclass(frozen=True, slots=True)
class Quote:
    """What one player would get: ``won`` chips of the ``chips`` in hand are theirs, ``money`` for them.

    ``borrowed`` are the chips that go back to the bank; ``money`` is in minor units, None without a rate.
    """

    player: str
    chips: int
    borrowed: int
    won: int
    money: int | None


@dataclass(frozen=True, slots=True)
class ConversionQuote:
    """What everybody would get.

    ``paid_before`` is what those who left were paid (negative: what they paid), in minor units. ``waits``
    names what has to come to 0 first, with its chips: the pots, ``differences``, ``world``.
    """

    currency: str
    rate: Rate | None
    paid_before: int
    players: tuple[Quote, ...]
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
    wanted = names.key(player)
    with db.read(access) as session:
        row = unclosed_row(session, session_id, None)
        view = session_view.view(session, row)
        for seat in view.present:
            if names.key(seat.name) == wanted:
                return _quote(seat, money.cashed_out(session, row, seat.net - seat.converted))
    raise Invalid.at(
        "player",
        "not-at-the-table",
        f"{player or 'Nobody'} has no seat in “{view.title}” now.",
        tuple(seat.name for seat in view.present),
    )


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
    seats = sorted(view.seats, key=lambda seat: (seat.position, seat.id))
    paid: list[int] | list[None] = [None] * len(seats)
    if agreed is not None and not waiting:
        won = [seat.net - seat.converted for seat in seats]
        paid = shares.by_largest_remainder(won, agreed.money, agreed.chips, till)
    return ConversionQuote(
        currency,
        agreed,
        -till,
        tuple(_quote(seat, amount) for seat, amount in zip(seats, paid, strict=True)),
        tuple(waiting),
    )


def _quote(seat: SeatView, paid: int | None) -> Quote:
    return Quote(seat.name, seat.balance, seat.lent, seat.net - seat.converted, paid)
