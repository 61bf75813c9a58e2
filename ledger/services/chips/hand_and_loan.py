"""Recording a hand together with loans to players who are short of chips, in one write and one undo step.

If all start with chips from the bank, nobody can pay with missing chips: with ``lend`` in the draft, the bank
lends them. In a session that starts without chips, balances may be negative.
"""

from collections.abc import Mapping
from dataclasses import replace

from engine.words.sentences import say
from ledger.books.balances import CHIPS
from ledger.database.kinds.accounts import AccountKind, seat_key, session_key
from ledger.services.chips import bank
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse, plans
from ledger.services.hands import preview as previews
from ledger.services.hands import record as hands_record
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.preview import Preview
from ledger.services.session import seats
from ledger.services.session.load import opened
from ledger.services.session.view import SessionView, load_ahead
from ledger.words.problems import Invalid

LEND = "lend"
"""The key of a draft for a loan to players who are short; it is not stored in the record."""


@plans("record hand", load_ahead)
def record(tx: WriteContext, session_id: int, hand: HandDraft) -> WritePlan[Preview]:
    """Record the next hand as ``hands.record`` does; if the draft has ``lend``, lend players missing chips.

    The preview's ``short`` are the chips each player lacks, ``lent`` those from the bank, both by name.
    Without loans the balances of players who are short become negative. Raises as ``hands.record`` does, and
    ``Invalid`` at ``lend``.
    """
    lends, draft = _lends(hand), {key: value for key, value in hand.items() if key != LEND}
    view = opened(tx, session_id)
    plan = hands_record.prepared(tx, view, draft)
    short = _short(view, plan.preview)
    lent = short if lends else {}
    preview = previews.together(plan.preview, [_loans(tx, view, lent)]) if lent else plan.preview
    preview = replace(preview, extra={**preview.extra, "short": short, "lent": lent})

    def carry_out() -> WriteResponse:
        for seat, name in seats.present(tx.session, view.id) if lent else ():
            if name in lent:
                bank.lend_for_hand(tx, view, seat, lent[name])
        return plan.carry_out()

    return WritePlan(preview, carry_out)


def _lends(hand: HandDraft) -> bool:
    """Return whether a draft requests loans; false if it has no ``lend``.

    Raises ``Invalid`` for another value.
    """
    lends = hand.get(LEND, False)
    if lends is None or isinstance(lends, bool):
        return bool(lends)
    raise Invalid.at(LEND, "lend-no-flag", say("Say true or false: whether the bank lends."))


def _loans(tx: WriteContext, view: SessionView, lent: Mapping[str, int]) -> Preview:
    """Return the preview of lending these chips, by player, from the bank; it has moves only."""
    moved = {seat_key(seat.id): lent[seat.name] for seat in view.playing if seat.name in lent}
    moved[session_key(view.id, AccountKind.BANK)] = -sum(moved.values())
    return Preview(None, None, {}, view.revision, previews.moves(tx.session, view, moved))


def _short(view: SessionView, preview: Preview) -> Mapping[str, int]:
    """Return the chips that each paying player would lack, by name.

    Empty in a session without starting stacks.
    """
    if not view.plays_from_stacks:
        return {}
    seats = [move for move in preview.moves if move.kind == "seat" and move.unit == CHIPS]
    paying = {move.name for move in seats if move.amount < 0}
    return {
        name: -chips for name, chips in preview.balances.items() if chips < 0 and name in paying
    }
