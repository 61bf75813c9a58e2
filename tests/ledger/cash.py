"""Services for chips and money with database and access as arguments; `evenings.Evening` is shorter."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import col, select

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Account, JournalEntry
from ledger.services.chips import bank
from ledger.services.common.writing import WriteResponse
from ledger.services.hands import correct
from ledger.services.money import convert as money_convert
from ledger.services.money import payments
from ledger.services.session.load import load
from ledger.services.session.view import Rate, SeatView
from ledger.services.table import cash_out, seating, start
from tests.ledger import table
from tests.ledger.table import ask

TEN_FOR_ONE = Rate(10, 1)
"""Ten chips to a cent."""

ANN_WINS = {"contract": {"bidder": "Ann", "bid": "go-alone", "trump": "S"}, "points": 85}
"""Ann is paid 50 by each of the others."""


def join(db: Database, access: Access, session_id: int, player: str, **said: Any) -> WriteResponse:
    """Seat a player."""
    return seating.join(table.write(db, access), session_id, player=player, **said)


def leave(db: Database, access: Access, session_id: int, player: str) -> WriteResponse:
    """Cash a player out."""
    return cash_out.leave(table.write(db, access), session_id, player=player)


def lend(db: Database, access: Access, session_id: int, player: str, chips: int) -> WriteResponse:
    """Lend a player chips of the bank."""
    return bank.lend(table.write(db, access), session_id, player=player, chips=chips)


def convert(
    db: Database, access: Access, session_id: int, rate: Rate | None = None
) -> WriteResponse:
    """Convert a session's chips to money."""
    return money_convert.convert(table.write(db, access), session_id, rate=rate)


def pay(db: Database, access: Access, payer: str, payee: str, amount: int) -> WriteResponse:
    """Mark a payment as made."""
    return payments.pay(table.write(db, access), payer=payer, payee=payee, amount=amount)


def voided_scores(db: Database, access: Access, *hands: Mapping[str, Any]) -> int:
    """Play and void hands of German Solo, then change to Crazy Solo for money; return the session's id."""
    evening = table.start(db, access, table.FOUR, "german-solo")
    for number, hand in enumerate(hands, start=1):
        table.record(db, access, evening, hand)
        table.void(db, access, evening, number)
    crazy_solo: dict[str, Any] = {"game": "crazy-solo", "variant": None, "options": {}}
    start.change_rules(table.write(db, access), evening, **crazy_solo)
    money_convert.set_rate(table.write(db, access), evening, rate=TEN_FOR_ONE)
    return evening


def restore(db: Database, access: Access, session_id: int, number: int) -> WriteResponse:
    """Restore a voided hand."""
    return correct.restore(table.write(db, access), session_id, number, reason="it counts")


def owed(db: Database, access: Access) -> dict[str, int]:
    """Return the money that the club owes each player; debts are negative."""
    return {line.player: line.balance for line in ask(db, access, payments.settle_up).balances}


def seat(db: Database, access: Access, session_id: int, player: str) -> SeatView:
    """Return a player's seat: the one at the table, else one that they left."""
    seats = ask(db, access, load, session_id).seats
    return next(seat for seat in seats if seat.name == player)


def held(db: Database, access: Access) -> dict[str, int]:
    """Return the balance of every account of the club, by its key."""
    with db.read(access) as session:
        return {row.key: row.balance for row in session.exec(select(Account))}


def kinds(db: Database, access: Access) -> list[str]:
    """Return the kinds of the club's entries, oldest first, without those of the register."""
    with db.read(access) as session:
        entries = session.exec(select(JournalEntry).order_by(col(JournalEntry.id))).all()
        return [entry.kind for entry in entries if entry.kind != "register"]
