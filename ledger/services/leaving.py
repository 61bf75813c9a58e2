"""Leaving early: a player hands all chips to the bank, and with a rate is owed (or owes) money for them.

The till of the session holds the other side of that money until the others are converted. A seat that
was left takes no chips any more; the leaving can be taken back.
"""

from sqlmodel import col, select

from ledger import journal
from ledger.access import Access
from ledger.clock import now
from ledger.db import Database
from ledger.journal import Occasion
from ledger.models import EntryKind, JournalEntry, Player, PlaySession, Seat, SeatState
from ledger.problems import Invalid
from ledger.scope import ScopedSession
from ledger.services import bank, evening, money, names, reasons, reversals, seats, taking_back
from ledger.services.once import Answer, once
from ledger.services.preview import Preview
from ledger.services.session_rows import unclosed_row
from ledger.services.session_view import rate_of, view


def leave(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    *,
    player: str,
    reason: str | None = None,
    revision: int | None = None,
) -> Answer:
    """Cash a player out: all chips to the bank; with a rate the money too, to the nearest minor unit.

    Raises ``Invalid`` at ``player`` or ``reason``, ``NotReady`` where scores are not paid by anybody,
    ``SessionClosed``, ``Stale``, ``KeyReused``.
    """
    said = {"id": session_id, "player": player, "reason": reason}
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            seat, _ = seats.here(session, row, player)
            mine = view(session, row).seat(seat.id)
            details: dict[str, object] = {
                "seat": seat.id,
                "state": seat.state,
                "position": seat.position,
                **({"first_dealer": True} if row.first_dealer == seat.position else {}),
            }
            paid: dict[int, int] = {}
            won = mine.unpaid
            rate, amount = rate_of(row), money.cashed_out(session, row, won)
            if rate is not None and amount is not None:
                currency = money.currency_of(session)
                paid = {
                    money.account_of(session, seat.player_id, currency).id: amount,
                    money.till_of(session, row, currency).id: -amount,
                }
                details |= money.terms(rate, [(seat, won)])
                seat.converted += won
            at = now()
            occasion = Occasion(
                session_id,
                EntryKind.CASH_OUT,
                access.author,
                at,
                at,
                reason=reasons.optional(reason),
                details=details,
            )
            entry = bank.move(session, occasion, [(seat, -mine.balance)], paid)
            journal.close_account(session, mine.account_id, at)
            here = [other for other, _ in seats.present(session, session_id)]
            seat.state = SeatState.LEFT.value
            evening.arrange(row, here, [other for other in here if other.id != seat.id])
            row.revision += 1
            return seats.answer(session, row, entry)

        return once(session, key, ("leave", said), act)


def take_back(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    *,
    player: str,
    reason: str,
    revision: int | None = None,
) -> Answer:
    """Take a player's last leaving back: seat, chips and money are as they were before it.

    Raises ``Invalid`` at ``player`` where nobody of that name has left.
    """
    said = {"id": session_id, "player": player, "reason": reason}
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            entry, why = _last_leaving(session, row, player), reasons.clean(reason)
            taking = taking_back.plan(session, row, entry)
            reversal = taking_back.carry_out(session, access, row, taking, why)
            row.revision += 1
            return seats.answer(session, row, reversal)

        return once(session, key, ("take leaving back", said), act)


def preview_taking_back(db: Database, access: Access, session_id: int, *, player: str) -> Preview:
    """Show every balance that taking a leaving back would move. Raises what ``take_back`` raises."""
    with db.read(access) as session:
        row = unclosed_row(session, session_id, None)
        taking = taking_back.plan(session, row, _last_leaving(session, row, player))
        return taking_back.preview(session, row, taking)


def _last_leaving(session: ScopedSession, row: PlaySession, player: str) -> JournalEntry:
    left = session.exec(
        select(Seat, Player.name)
        .where(Seat.session_id == row.id, Seat.state == SeatState.LEFT.value)
        .where(Player.id == Seat.player_id)
        .order_by(col(Seat.id).desc())
    ).all()
    found = (
        _of_leaving(session, seat) for seat, name in left if names.key(name) == names.key(player)
    )
    entry = next((each for each in found if each is not None), None)
    if entry is None:
        raise Invalid.at(
            "player",
            "has-not-left",
            f"{player} has not left “{row.title}”.",
            tuple(name for _, name in left),
        )
    return entry


def _of_leaving(session: ScopedSession, seat: Seat) -> JournalEntry | None:
    """Return the entry by which a seat was left; None where its joining was taken back instead.

    There is one at most: who cashes out leaves the seat, and sits on it again only by taking that back.
    """
    entries = session.exec(
        select(JournalEntry)
        .where(JournalEntry.session_id == seat.session_id, col(JournalEntry.hand_id).is_(None))
        .where(JournalEntry.kind == EntryKind.CASH_OUT.value, reversals.stands())
    )
    return next((entry for entry in entries if entry.details["seat"] == seat.id), None)
