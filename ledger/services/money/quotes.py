"""Quotes for cashing out and converting, computed without writing anything."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated

from sqlmodel import col, select

from ledger.books.balances import BalanceTooLarge
from ledger.database.models import Account, AccountKind
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import WriteResponse
from ledger.services.hands import preview as previews
from ledger.services.hands.preview import AfterLeaving
from ledger.services.money import till as money_till
from ledger.services.session.view import Rate, SeatView, SessionView


@dataclass(frozen=True, slots=True)
class Quote:
    """A player's chips, and the money for those won; in a session without chips, their score."""

    player: str
    chips: Annotated[int, "In hand."]
    borrowed: Annotated[int, "The part that returns to the bank."]
    won: Annotated[int, "The part won or, if negative, lost."]
    money: Annotated[int | None, "In minor units; null if the table has no rate."]
    revision: Annotated[int, "The session's revision after it; of a dry run, the one it looked at."]


@dataclass(frozen=True, slots=True)
class LeavingQuote(Quote):
    """A leaving player's quote, and the chips of the remaining players."""

    session: int
    balances: Annotated[Mapping[str, int], "The chips of each player at the table."]

    def to_mapping(self) -> WriteResponse:
        """Return the preview in JSON values; ``entry`` is None until the player has left."""
        return {**asdict(self), "entry": None}


@dataclass(frozen=True, slots=True)
class ConversionQuote:
    """A conversion's payments.

    Attributes:
        paid_before: The money of earlier cash-outs, in minor units; negative if players paid.
        revision: The session's revision at the time of the quote.
        anything: Whether there are chips to convert.
        waits: The pots and differences that block the conversion, with their chips.
        refusal: The error that the conversion would raise at this rate.
        after_leaving: The effects of changed hands on departed players.
        converted_at: The time it counts as done, None for the time of its entry.
    """

    currency: str
    rate: Rate | None
    paid_before: int
    players: tuple[Quote, ...]
    revision: int
    anything: bool
    waits: tuple[tuple[str, int], ...]
    refusal: BalanceTooLarge | None
    session: int
    balances: Mapping[str, int]
    after_leaving: tuple[AfterLeaving, ...]
    converted_at: datetime | None

    def to_mapping(self) -> WriteResponse:
        """Return the response's JSON; its ``entry`` is None until the chips are cashed in.

        The blockers and the refusal are left out.
        """
        return {
            "session": self.session,
            "revision": self.revision,
            "entry": None,
            "balances": dict(self.balances),
            "currency": self.currency,
            "rate": self.rate and asdict(self.rate),
            "paid_before": self.paid_before,
            "converted_at": self.converted_at and self.converted_at.isoformat(),
            "players": [asdict(player) for player in self.players],
        }


def of_leaving(
    session: ScopedSession, view: SessionView, seat: SeatView, paid: int | None, currency: str
) -> LeavingQuote:
    """Return a leaving player's quote, with the money ``paid`` for winnings, None without a rate.

    Raises ``BalanceTooLarge`` for the player's account or the till.
    """
    if paid is not None:
        must_fit(session, currency, [(seat, paid)])
        till = money_till.balance(session, view.id) - paid
        previews.must_fit(AccountKind.TILL, "", till, currency)
    balances = {other.name: other.balance for other in view.present if other.id != seat.id}
    quote = of_seat(view.revision, seat, paid)
    return LeavingQuote(**asdict(quote), session=view.id, balances=balances)


def must_fit(session: ScopedSession, currency: str, paid: Iterable[tuple[SeatView, int]]) -> None:
    """Raise ``BalanceTooLarge`` if a player's money account can't hold the money ``paid`` to their seats."""
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


def of_seat(revision: int, seat: SeatView, paid: int | None) -> Quote:
    """Return the quote for a seat, with the money to be ``paid`` for winnings not cashed in yet.

    Without a rate, ``paid`` is None.
    """
    return Quote(seat.name, seat.balance, seat.lent, seat.unpaid, paid, revision)
