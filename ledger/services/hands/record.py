"""A hand: proposed, previewed, recorded. The engine scores it, the journal pays it.

Recording writes the record, its verdict, one balanced entry and every sum, all or nothing. What
is changed afterwards is for ``ledger.services.hands.correct``.
"""

from collections.abc import Mapping
from typing import Any

from sqlmodel import col, select

from engine.reasoning.verdict import Verdict
from engine.record import HandRecord
from engine.rules.turns import Turn
from ledger.models import Account, Hand, HandAction, PlaySession
from ledger.scope import ScopedSession
from ledger.services.common.writing import Answer, Writing, writes
from ledger.services.hands import draft as hands_draft
from ledger.services.hands import posting, pots, turn
from ledger.services.hands import preview as previews
from ledger.services.hands.draft import Draft
from ledger.services.hands.preview import Preview
from ledger.services.hands.stored import Written
from ledger.services.session import load as session_load
from ledger.services.session import view as session_view
from ledger.services.session.load import open_view
from ledger.services.session.view import SessionView


def propose(session: ScopedSession, session_id: int) -> Turn:
    """Return whose turn the next hand is, unless the table says otherwise.

    Raises ``NotFound``, and ``Invalid`` while too few are playing.
    """
    return _turn(session, session_load.load(session, session_id))


def preview(session: ScopedSession, session_id: int, draft: Draft) -> Preview:
    """Score the next hand without saving it, by the code that saves. Raises what ``record`` raises."""
    view = open_view(session, session_id)
    record, verdict, written = _score(session, view, draft)
    moved = posting.amounts(view.id, written)
    return Preview(
        record,
        verdict,
        previews.balances(view, moved),
        view.revision,
        previews.moves(session, view, moved),
    )


@writes("record hand")
def record(tx: Writing, session_id: int, hand: Draft) -> Answer:
    """Record the next hand and pay it.

    Raises ``Invalid`` at the field that is wrong, ``SessionClosed``, ``SessionPaused``, ``Stale`` or
    ``KeyReused``.
    """
    session = tx.session
    row = session_load.open_row(session, session_id, tx.revision)
    view = session_view.view(session, row)
    whole, verdict, written = _score(session, view, hand)
    row.hands_dealt += 1
    row.revision += 1
    dealt = Hand(session_id=session_id, number=row.hands_dealt, version=0)
    session.add(dealt)
    session.flush()
    posting.enter(
        tx,
        dealt,
        written,
        action=HandAction.RECORDED,
        when=whole.played_at or tx.at,
        known=previews.account_ids(view),
    )
    return answer(tx, row, dealt, view, verdict.to_mapping())


def answer(
    tx: Writing,
    row: PlaySession,
    hand: Hand,
    view: SessionView,
    verdict: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Say what was written: the hand, its verdict (None: it is void) and the balances after it."""
    tx.session.flush()
    wanted = [seat.account_id for seat in view.seats]
    rows = tx.session.exec(select(Account.id, Account.balance).where(col(Account.id).in_(wanted)))
    balances = dict(rows.all())
    held: dict[str, int] = {}
    for seat in view.seats:
        held.setdefault(seat.name, balances[seat.account_id])
    return {
        "session": row.id,
        "hand": hand.number,
        "version": hand.version,
        "state": hand.state,
        "revision": row.revision,
        "verdict": dict(verdict) if verdict else None,
        "balances": held,
        "at": tx.at.isoformat(timespec="seconds"),
    }


def _turn(session: ScopedSession, view: SessionView) -> Turn:
    last = turn.last_standing(session, view.id)
    return turn.upcoming(view, last and last[1])


def _score(
    session: ScopedSession, view: SessionView, draft: Draft
) -> tuple[HandRecord, Verdict, Written]:
    held = pots.held(session, view.id) if "pots" in view.rules.keys else None
    given = hands_draft.base(view, held)
    whole = hands_draft.complete(draft, given, _turn(session, view))
    verdict = hands_draft.judge(whole)
    seat_ids = {seat.name: seat.id for seat in view.playing}
    written = Written.scored(whole, verdict, [seat_ids[name] for name in whole.players])
    return whole, verdict, written
