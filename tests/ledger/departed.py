"""Evenings that a player has left: Bob, after Ann went alone and was paid 50 by each of six others."""

from collections.abc import Mapping
from typing import Any

from sqlmodel import col, select

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Account
from ledger.services.audit import verify
from ledger.services.chips import adjust
from ledger.services.hands import after_leaving
from ledger.services.hands.preview import AfterLeaving
from ledger.services.session.load import load
from ledger.services.session.view import Rate
from ledger.services.undo import last as undo_last
from ledger.services.undo import leaving as undo_leaving
from tests.ledger import cash, table
from tests.ledger.table import ask

ANN_LOSES = {**cash.ANN_WINS, "points": 35}
"""Ann pays 50 to each of the others."""


def ann_with(points: int) -> Mapping[str, Any]:
    """Return Ann's hand with other points: two chips a point above 60, to the nearest 5."""
    return {**cash.ANN_WINS, "points": points}


def evening(db: Database, access: Access, rate: Rate | None = cash.TEN_FOR_ONE) -> int:
    """Start an evening with a hand that Ann won, after which Bob left."""
    session_id = table.start(db, access, starting_stack=150, rate=rate)
    table.record(db, access, session_id, cash.ANN_WINS)
    cash.leave(db, access, session_id, "Bob")
    return session_id


def stay(db: Database, access: Access, session_id: int, player: str = "Bob") -> Any:
    """Undo a leaving."""
    return undo_leaving.take_back(
        table.write(db, access), session_id, player=player, reason="stays on"
    )


def undo(db: Database, access: Access, session_id: int) -> Any:
    """Undo the last thing done."""
    return undo_last.undo(table.write(db, access), session_id)


def since(db: Database, access: Access, session_id: int) -> tuple[AfterLeaving, ...]:
    """Return what is shown next to the names of those who left."""
    return ask(db, access, lambda session: after_leaving.since(session, load(session, session_id)))


def must_balance(db: Database, access: Access, session_id: int) -> None:
    """Check the books, and that seats that were left hold no chips and take none."""
    assert list(verify(db)) == []
    view = ask(db, access, load, session_id)
    with db.read(access) as session:
        closed = set(
            session.exec(select(Account.seat_id).where(col(Account.closed_at).is_not(None)))
        )
    assert closed == {seat.id for seat in view.seats if seat.has_left}
    assert all(seat.balance == 0 for seat in view.seats if seat.has_left)


def frog(bidder: str) -> Mapping[str, Any]:
    """Return a hand of Progressive that takes the frog pot and moves nothing else."""
    return {"dealer": "Dee", "contract": {"bidder": bidder, "bid": "frog"}, "points": 60}


def adjusted(db: Database, access: Access, session_id: int, chips: int) -> Any:
    """Give Bob chips by agreement."""
    write = table.write(db, access)
    return adjust.adjust(write, session_id, player="Bob", chips=chips, reason="agreed")
