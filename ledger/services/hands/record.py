"""A hand: proposed, previewed, recorded. The engine scores it, the journal pays it.

Recording writes the record, its verdict, one balanced entry and every sum, all or nothing. What
is changed afterwards is for ``ledger.services.hands.correct``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, select

from engine.reasoning.verdict import Verdict
from engine.record import HandRecord
from ledger.access import Access
from ledger.db import Database
from ledger.models import Account, Hand, HandAction, HandState, HandVersion, PlaySession
from ledger.scope import ScopedSession
from ledger.services.common.writing import Answer, Writing, writes
from ledger.services.hands import draft as hands_draft
from ledger.services.hands import posting, pots
from ledger.services.hands import preview as previews
from ledger.services.hands.draft import Draft
from ledger.services.hands.preview import Preview
from ledger.services.hands.stored import Written
from ledger.services.session import load as session_load
from ledger.services.session import view as session_view
from ledger.services.session.load import open_view
from ledger.services.session.view import SessionView


@dataclass(frozen=True, slots=True)
class Proposal:
    """Who deals and leads next, unless the table says otherwise."""

    dealer: str
    lead: str


def propose(db: Database, access: Access, session_id: int) -> Proposal:
    """Return who deals and leads the next hand: as the last hand that stands says, else the first dealer.

    Raises ``NotFound``, and ``Invalid`` while too few are playing.
    """
    with db.read(access) as session:
        view = session_load.load(session, session_id)
        return proposal(view, last_version(session, session_id))


def last_version(session: ScopedSession, session_id: int) -> HandVersion | None:
    """Return what holds of the last hand that stands."""
    return session.exec(
        select(HandVersion)
        .join(Hand, col(Hand.id) == HandVersion.hand_id)
        .where(Hand.session_id == session_id, Hand.state == HandState.STANDING.value)
        .where(HandVersion.version == Hand.version)
        .order_by(col(Hand.number).desc())
        .limit(1)
    ).first()


def proposal(view: SessionView, last: HandVersion | None) -> Proposal:
    """Return who deals and leads after the last hand that stands.

    If the next dealer has left, whoever of that hand sat next deals.
    """
    if last is None:
        dealer = view.opening_dealer.name
    else:
        place = last.record["players"].index(last.verdict["next"]["dealer"])
        dealer = view.dealer_from(*last.seat_ids[place:], *last.seat_ids[:place]).name
    return Proposal(dealer, view.rules.table(view.names, dealer).lead)


def preview(db: Database, access: Access, session_id: int, draft: Draft) -> Preview:
    """Score the next hand without saving it, by the code that saves. Raises what ``record`` raises."""
    with db.read(access) as session:
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
    """Write the next hand and pay it.

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


def _score(
    session: ScopedSession, view: SessionView, draft: Draft
) -> tuple[HandRecord, Verdict, Written]:
    dealer = draft.get("dealer") or proposal(view, last_version(session, view.id)).dealer
    held = pots.held(session, view.id) if "pots" in view.rules.keys else None
    whole = hands_draft.complete(draft, hands_draft.base(view, dealer, held))
    verdict = hands_draft.judge(whole)
    seat_ids = {seat.name: seat.id for seat in view.playing}
    written = Written.scored(whole, verdict, [seat_ids[name] for name in whole.players])
    return whole, verdict, written
