"""Quotes: what cashing out or converting would come to, by the code that does it; nothing is written."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
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
    """What one player would get for the chips in hand that they won; where there are none, their score."""

    player: str
    chips: Annotated[int, "In hand."]
    borrowed: Annotated[int, "Of these, what goes back to the bank."]
    won: Annotated[int, "Of these, what was won or, if negative, lost."]
    money: Annotated[int | None, "In minor units; null if the table has no rate."]
    revision: Annotated[int, "The session's revision after it; of a dry run, the one it looked at."]


@dataclass(frozen=True, slots=True)
class LeavingQuote(Quote):
    """What a player leaves a session with, and the chips of those who stay."""

    session: int
    balances: Annotated[Mapping[str, int], "The chips of each player at the table."]

    def to_mapping(self) -> WriteResponse:
        """Return it as it is answered."""
        return {**asdict(self), "entry": None}


@dataclass(frozen=True, slots=True)
class ConversionQuote:
    """What everybody would get.

    ``paid_before`` is what those who left were paid (negative: what they paid), in minor units. ``waits``
    names what comes first, with its chips: pots and ``differences`` that are not 0. ``refusal`` says why it
    can't be done at this rate, as converting would. ``anything``: there is something to convert. ``revision``
    is the session's that it was read at. ``after_leaving`` is what changed hands came to for players who had
    left. ``converted_at`` is when it counts as done; None: when it is entered.
    """

    currency: str
    rate: Rate | None
    paid_before: int
    players: tuple[Quote, ...]
    revision: int
    anything: bool
    waits: tuple[tuple[str, int], ...] = ()
    refusal: BalanceTooLarge | None = None
    session: int = 0
    balances: Mapping[str, int] = field(default_factory=dict)
    after_leaving: tuple[AfterLeaving, ...] = ()
    converted_at: datetime | None = None

    def to_mapping(self) -> WriteResponse:
        """Return it as it is answered."""
        return {
            "session": self.session,
            "revision": self.revision,
            "entry": None,
            "balances": dict(self.balances),
            "currency": self.currency,
            "rate": self.rate and asdict(self.rate),
            "paid_before": self.paid_before,
            "converted_at": self.converted_at and self.converted_at.isoformat(),
            "players": [asdict(each) for each in self.players],
        }


def of_leaving(
    session: ScopedSession, view: SessionView, seat: SeatView, paid: int | None, currency: str
) -> LeavingQuote:
    """Return what a player leaves with, ``paid`` for what they won. Raises ``BalanceTooLarge``."""
    if paid is not None:
        must_fit(session, currency, [(seat, paid)])
        till = money_till.held(session, view.id) - paid
        previews.must_fit(AccountKind.TILL, "", till, currency)
    stay = {each.name: each.balance for each in view.present if each.id != seat.id}
    quote = of_seat(view.revision, seat, paid)
    return LeavingQuote(**asdict(quote), session=view.id, balances=stay)


def must_fit(session: ScopedSession, currency: str, paid: Iterable[tuple[SeatView, int]]) -> None:
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


def of_seat(revision: int, seat: SeatView, paid: int | None) -> Quote:
    """Return what a player gets for a seat, ``paid`` for what was won."""
    return Quote(seat.name, seat.balance, seat.lent, seat.unpaid, paid, revision)
