"""Leaving early: a player returns all chips to the bank and, at a rate, gets or owes money for the winnings.

The session's till holds the other side of that money until the others convert their chips. The account of a
seat that was left takes no chips, except for hands changed later (``hands.after_leaving``). The leaving can
be undone.
"""

from ledger.books import journal
from ledger.books.balances import CHIPS
from ledger.database.models import EntryKind
from ledger.services.chips import bank
from ledger.services.common import reasons
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse, plans
from ledger.services.money import convert, quotes
from ledger.services.money.quotes import LeavingQuote
from ledger.services.session import seats
from ledger.services.session.load import unclosed


@plans("leave")
def leave(
    tx: WriteContext, session_id: int, *, player: str, reason: str | None = None
) -> WritePlan[LeavingQuote]:
    """Cash a player out: all chips to the bank and, at a rate, the money to the nearest minor unit.

    The seat is left and its account closed; a score stays with it. Raises ``Invalid`` at ``player`` or
    ``reason``, ``BalanceTooLarge``, ``SessionClosed``, ``Stale``, ``KeyReused``.
    """
    session = tx.session
    row, view = unclosed(tx, session_id)
    seat, _ = seats.here(session, row, player)
    mine = view.seat(seat.id)
    won, currency = mine.unpaid, convert.currency_of(session)
    amount = convert.cashed_out(row, won)

    def carry_out() -> WriteResponse:
        details: dict[str, object] = {
            "seat": seat.id,
            "state": seat.state,
            "position": seat.position,
            "successor": seats.left_of(session, seat),
        }
        paid: dict[int, int] = {}
        if view.rate is not None and amount is not None:
            paid = {
                convert.account_of(session, seat.player_id, currency).id: amount,
                convert.till_of(session, row, currency).id: -amount,
            }
            details |= convert.terms(view.rate, [(seat, won)])
            seat.converted += won
        header = tx.header(
            session_id, EntryKind.CASH_OUT, reason=reasons.optional(reason), details=details
        )
        entry = bank.move(session, header, [(seat, -view.balance_of(mine, CHIPS))], paid)
        journal.close_account(session, mine.account_id, tx.at)
        seats.vacate(session, seat)
        row.revision += 1
        return {"revision": row.revision, "entry": entry}

    return WritePlan(quotes.of_leaving(session, view, mine, amount, currency), carry_out)
