"""A hand: proposed, previewed, recorded. The engine scores it, the journal pays it.

Recording writes the record, its verdict, one balanced entry and every sum, all or nothing. What
is changed afterwards is for ``ledger.services.hands.correct``.
"""

from engine.rules.changes import VERSION
from engine.rules.turns import Turn
from engine.rules.verdict import Verdict
from ledger.database.models import HandAction, HandState
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse, plans
from ledger.services.hands import draft as hands_draft
from ledger.services.hands import posting, pots, turn
from ledger.services.hands import preview as previews
from ledger.services.hands.draft import Draft
from ledger.services.hands.preview import Preview
from ledger.services.hands.stored import HandChange, Written
from ledger.services.session import load as session_load
from ledger.services.session.load import advance, opened
from ledger.services.session.view import SessionView


def propose(session: ScopedSession, session_id: int) -> Turn:
    """Return whose turn the next hand is, unless the table says otherwise.

    Raises ``NotFound``, and ``Invalid`` while too few are playing.
    """
    return turn.upcoming(session_load.load(session, session_id))


@plans("record hand")
def record(tx: WriteContext, session_id: int, hand: Draft) -> WritePlan[Preview]:
    """Record the next hand and pay it.

    Raises ``Invalid`` at the field that is wrong, ``SessionClosed``, ``SessionPaused``, ``Stale`` or
    ``KeyReused``.
    """
    return prepared(tx, opened(tx, session_id), hand)


def prepared(tx: WriteContext, view: SessionView, hand: Draft) -> WritePlan[Preview]:
    """Show what the next hand comes to; carried out, it is recorded and paid."""
    verdict, written = _score(tx.session, view, hand)
    moved = posting.amounts(view.id, written)
    shown = Preview(
        written.record,
        verdict,
        previews.balances(view, moved, written.unit),
        view.revision,
        previews.moves(tx.session, view, moved, written.unit),
        said=previews.of_hand(view.id, view.hands_dealt + 1, 1, HandState.STANDING),
    )

    def carry_out() -> WriteResponse:
        dealt = HandChange(posting.deal(tx, view), None, written, HandAction.RECORDED)
        posting.write(tx, view, [(dealt, None)])
        return previews.written(tx, advance(tx, view, dealt=1))

    return WritePlan(shown, carry_out)


def _score(session: ScopedSession, view: SessionView, draft: Draft) -> tuple[Verdict, Written]:
    held = pots.held(session, view.id) if "pots" in view.rules.keys else None
    given = hands_draft.base(view, held)
    whole = hands_draft.complete(draft, given, turn.upcoming(view), VERSION)
    verdict = hands_draft.judge(whole, VERSION)
    seat_ids = {seat.name: seat.id for seat in view.playing}
    seats = [seat_ids[name] for name in whole.players]
    return verdict, Written.scored(whole, verdict, seats, VERSION)
