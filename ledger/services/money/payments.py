"""Settling up a club: the open balances, the fewest payments, and recording payments.

Unpaid balances stay on the players' money accounts and carry over to the next session. A debt can be paid in
parts, and a payment can be undone. Expenses that are settled separately are on the same accounts: the part
of a balance that they and their payments make up is proposed and paid apart from the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from sqlmodel import col, func, or_, select

from engine.words.sentences import say
from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.database.kinds.entries import KINDS, kinds
from ledger.database.models import Account, AccountKind, EntryKind, JournalEntry, Player, Posting
from ledger.database.scope import ScopedSession, missing
from ledger.services.club import players
from ledger.services.common import dates, reasons
from ledger.services.common.writing import WriteContext, WriteResponse, must_be_as_seen, writes
from ledger.services.money import convert, till, unconverted
from ledger.services.money.settle_up import Payment, by_name
from ledger.services.money.till import Owed, Unfinished
from ledger.services.money.unconverted import Unconverted
from ledger.services.session.reversals import in_force
from ledger.words.problems import Invalid, Stale


@dataclass(frozen=True, slots=True)
class SettleUp:
    """A club's open balances, and the fewest payments that bring every player to 0.

    ``unfinished`` are sessions in which somebody, but not everybody, was cashed out; until then no balance is
    final. ``unconverted`` are the other sessions with chips that are worth money.
    """

    currency: str
    balances: Annotated[
        tuple[Owed, ...],
        "Of everybody who is not even, in minor units of the club's currency, without the separate ones.",
    ]
    payments: Annotated[tuple[Payment, ...], "The fewest possible, for up to twelve players."]
    unfinished: Annotated[
        tuple[Unfinished, ...],
        "While there is one, no payments are proposed: cash in its chips, or undo the "
        "leaving, first. Payments can be marked as made all the same.",
    ]
    unconverted: Annotated[
        tuple[Unconverted, ...],
        "The proposed payments leave out their chips until they are cashed in.",
    ] = ()
    separate_balances: Annotated[
        tuple[Owed, ...], "The same for expenses that are settled separately."
    ] = ()
    separate_payments: Annotated[
        tuple[Payment, ...], "The fewest payments for them; send these with `separate`."
    ] = ()


class OpenBalance(NamedTuple):
    """A player's balance without separate expenses, and the balance of those."""

    player: str
    main: int
    separate: int


def settle_up(session: ScopedSession) -> SettleUp:
    """Return the open balances and the fewest payments, with ties in the order of the players' entry.

    While a session is ``unfinished``, the payments are empty.
    """
    currency = convert.currency_of(session)
    rows = open_balances(session, currency)
    main = tuple(Owed(row.player, row.main) for row in rows if row.main)
    separate = tuple(Owed(row.player, row.separate) for row in rows if row.separate)
    unfinished = till.unfinished(session)
    return SettleUp(
        currency,
        main,
        () if unfinished else _fewest(main),
        unfinished,
        unconverted.sessions(session, unfinished),
        separate,
        _fewest(separate),
    )


def _fewest(owed: Sequence[Owed]) -> tuple[Payment, ...]:
    return by_name([row.player for row in owed], [row.balance for row in owed])


def open_balances(session: ScopedSession, currency: str) -> list[OpenBalance]:
    """Return both balances of every player who has one, in the order of the players' entry."""
    rows = session.exec(
        select(Player.name, Account.balance, func.coalesce(_SEPARATE.c.balance, 0))
        .join(Account, col(Account.player_id) == Player.id)
        .outerjoin(_SEPARATE, _SEPARATE.c.account_id == Account.id)
        .where(Account.kind == AccountKind.PLAYER.value, Account.unit == currency)
        .where(or_(col(Account.balance) != 0, _SEPARATE.c.balance != 0))
        .order_by(col(Player.id))
    )
    # PostgreSQL's sums are decimals.
    return [OpenBalance(name, total - int(apart), int(apart)) for name, total, apart in rows]


_SEPARATE = (
    select(Posting.account_id, func.sum(Posting.amount).label("balance"))
    .join(JournalEntry, col(JournalEntry.id) == Posting.entry_id)
    .where(col(JournalEntry.session_id).is_(None), col(JournalEntry.hand_id).is_(None))
    .where(col(JournalEntry.kind).in_(kinds(lambda kind: kind.separate)), in_force())
    .group_by(col(Posting.club_id), col(Posting.account_id))
    .subquery()
)


@writes("pay")
def pay(
    tx: WriteContext,
    *,
    payer: str,
    payee: str,
    amount: int,
    reason: str | None = None,
    paid_at: datetime | None = None,
    seen: int | None = None,
    separate: bool | None = None,
) -> WriteResponse:
    """Record a payment of money from ``payer`` to ``payee``, in minor units: all of a debt, a part or more.

    A ``separate`` one pays for expenses that are settled separately. ``seen`` is the payer's balance of these
    or the others on the scorer's screen, so that two scorers don't record one payment twice. Raises
    ``Invalid`` at ``payer``, ``payee``, ``amount``, ``reason`` or ``paid_at``, and ``Stale``.
    """
    session = tx.session
    must_be_as_seen(lambda: settle_up(session), tx.seen, say("What the club's players owe"))
    giver, receiver = (
        players.by_name(session, payer, "payer"),
        players.by_name(session, payee, "payee"),
    )
    if giver.id == receiver.id:
        raise Invalid.at(
            "payee", "pays-themself", say("{name} can't pay {name}; who was paid?", name=giver.name)
        )
    currency = convert.currency_of(session)
    convert.must_be_payable(amount, currency)
    mine = convert.account_of(session, giver.id, currency)
    other = convert.account_of(session, receiver.id, currency)
    if seen is not None and seen != _balance_to_settle(session, mine, separate=bool(separate)):
        raise Stale(
            say(
                "Meanwhile somebody recorded a payment by {name}, or cashed in a session. "
                "Nothing of yours was saved; look at what is left to pay.",
                name=giver.name,
            )
        )
    header = tx.header(
        None,
        EntryKind.SEPARATE_PAYMENT if separate else EntryKind.PAYMENT,
        reason=reasons.optional(reason),
        occurred_at=paid_at and dates.happened(paid_at, "paid_at"),
    )
    entry = journal.post(session, header, {mine.id: amount, other.id: -amount})
    balances = {giver.name: mine.balance, receiver.name: other.balance}
    return {"entry": entry, "currency": currency, "balances": balances}


def imported(
    tx: WriteContext, *, reason: str | None, occurred_at: datetime, details: Mapping[str, Any]
) -> EntryHeader:
    """Return the header of a payment that was recorded by another program."""
    return tx.header(
        None, EntryKind.PAYMENT, reason=reason, occurred_at=occurred_at, details=details
    )


def show(session: ScopedSession, entry_id: int) -> Payment:
    """Return the payer, payee and amount of the payment recorded by an entry. Raises ``NotFound``."""
    entry = find(session, entry_id)
    if not KINDS[entry.kind].is_payment:
        raise missing("payment")
    (payer, amount), (payee, _) = session.exec(
        select(Player.name, Posting.amount)
        .join(Account, col(Account.player_id) == Player.id)
        .join(Posting, col(Posting.account_id) == Account.id)
        .where(Posting.entry_id == entry.id)
        .order_by(col(Posting.amount).desc())
    ).all()
    return Payment(payer, payee, amount)


def find(session: ScopedSession, entry_id: int) -> JournalEntry:
    """Return the entry of a payment or of imported balances, even one that was undone.

    Raises ``NotFound``, also for another kind.
    """
    debts = select(JournalEntry).where(col(JournalEntry.kind).in_(kinds(lambda kind: kind.is_debt)))
    return session.one(debts.where(JournalEntry.id == entry_id), "payment")


def _balance_to_settle(session: ScopedSession, account: Account, *, separate: bool) -> int:
    """Return the part of an account's balance that separate payments settle, or the rest."""
    query = select(_SEPARATE.c.balance).where(_SEPARATE.c.account_id == account.id)
    apart = int(session.exec(query).first() or 0)
    return apart if separate else account.balance - apart
