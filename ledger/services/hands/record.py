"""Recording a hand: the draft is completed and scored, then written with its entry and every sum."""

from engine.rules.changes import VERSION
from engine.rules.seating import Turn
from engine.rules.verdict import Verdict
from ledger.database.models import HandAction, HandState
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse, plans
from ledger.services.hands import draft as hands_draft
from ledger.services.hands import posting, pots, turn
from ledger.services.hands import preview as previews
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.preview import Preview
from ledger.services.session import load as session_load
from ledger.services.session.hand_versions import HandChange, HandVersion
from ledger.services.session.load import advance, opened
from ledger.services.session.view import SessionView, load_ahead


def propose(session: ScopedSession, session_id: int) -> Turn:
    """Return the proposed turn of the next hand: its seats, dealer, lead and blind round.

    Raises ``NotFound``, and ``Invalid`` if too few or too many are playing.
    """
    return turn.upcoming(session_load.load(session, session_id))


@plans("record hand", load_ahead)
def record(tx: WriteContext, session_id: int, hand: HandDraft) -> WritePlan[Preview]:
    """Record the next hand: complete and score the draft, and write the hand, its entry and every sum.

    Raises ``Invalid`` at the wrong field, ``BalanceTooLarge``, ``NotFound``, ``SessionClosed``,
    ``SessionPaused``, ``Stale`` or ``KeyReused``.
    """
    return prepared(tx, opened(tx, session_id), hand)


def prepared(tx: WriteContext, view: SessionView, hand: HandDraft) -> WritePlan[Preview]:
    """Return the write plan of the next hand, with its preview.

    Raises ``Invalid`` at the wrong field, ``BalanceTooLarge``.
    """
    verdict, version = _score(tx, view, hand)
    effects = version.effects
    amounts, unit = effects.postings(view.id, version.seat_ids), effects.unit
    preview = Preview(
        version.record,
        verdict,
        previews.balances(view, amounts, unit),
        view.revision,
        previews.moves(tx.session, view, amounts, unit),
        extra=previews.of_hand(version),
    )

    def carry_out() -> WriteResponse:
        posting.write(tx, view, [HandChange(None, posting.deal(tx, version), effects)])
        return previews.written(tx, advance(tx, view, dealt=1))

    return WritePlan(preview, carry_out)


def _score(tx: WriteContext, view: SessionView, draft: HandDraft) -> tuple[Verdict, HandVersion]:
    """Complete and score a draft; return the verdict and the hand's first version, which has no id yet."""
    contents = pots.contents(tx.session, view.id) if "pots" in view.rules.keys else None
    session_keys = hands_draft.base(view, contents)
    record = hands_draft.complete(draft, session_keys, turn.upcoming(view), VERSION)
    verdict = hands_draft.judge(record, VERSION)
    version = HandVersion(
        hand_id=0,
        session_id=view.id,
        number=view.hands_dealt + 1,
        state=HandState.STANDING.value,
        version=1,
        action=HandAction.RECORDED.value,
        record=record.to_mapping(),
        verdict=verdict.to_stored(),
        seat_ids=[seat.id for seat in view.playing],
        engine_version=VERSION,
        entry_id=None,
        reason=None,
        cause=None,
        author=tx.author,
        played_at=record.played_at or tx.at,
        entered_at=tx.at,
    )
    return verdict, version
