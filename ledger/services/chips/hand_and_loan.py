"""A hand recorded together with the chips that somebody lacks to pay it: one write, under one key.

Where everybody starts with chips from the bank, nobody pays with chips that they don't hold: the bank lends
what is missing, if the draft says ``lend``, and the hand is paid with it. A table that starts with none
counts from zero; there the house allows less than none. What is done in one write is undone in one.
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
from ledger.services.session.view import SessionView
from ledger.words.problems import Invalid

LEND = "lend"
"""The key of a draft that says whether the bank lends who is short; no record keeps it."""


@plans("record hand")
def record(tx: WriteContext, session_id: int, hand: HandDraft) -> WritePlan[Preview]:
    """Record the next hand and pay it, as ``hands.record`` does; lend who is short, if it says so.

    ``short`` of what is shown are the chips that each lacks, ``lent`` those that come from the bank.
    Raises what ``hands.record`` raises, and ``Invalid`` at ``lend``.
    """
    lends, draft = _lends(hand), {key: said for key, said in hand.items() if key != LEND}
    view = opened(tx, session_id)
    way = hands_record.prepared(tx, view, draft)
    short = _short(view, way.shown)
    lent = short if lends else {}
    shown = previews.together(way.shown, [_loans(tx, view, lent)]) if lent else way.shown
    shown = replace(shown, extra={**shown.extra, "short": short, "lent": lent})

    def carry_out() -> WriteResponse:
        for seat, name in seats.present(tx.session, view.id) if lent else ():
            if name in lent:
                bank.lend_for_hand(tx, view, seat, lent[name])
        return way.carry_out()

    return WritePlan(shown, carry_out)


def _lends(hand: HandDraft) -> bool:
    lends = hand.get(LEND, False)
    if lends is None or isinstance(lends, bool):
        return bool(lends)
    raise Invalid.at(LEND, "lend-no-flag", say("Say true or false: whether the bank lends."))


def _loans(tx: WriteContext, view: SessionView, lent: Mapping[str, int]) -> Preview:
    """Show what the bank lends."""
    moved = {seat_key(seat.id): lent[seat.name] for seat in view.playing if seat.name in lent}
    moved[session_key(view.id, AccountKind.BANK)] = -sum(moved.values())
    return Preview(None, None, {}, view.revision, previews.moves(tx.session, view, moved))


def _short(view: SessionView, shown: Preview) -> Mapping[str, int]:
    """Return what each lacks who pays with more than they hold; nobody where the table counts from zero."""
    if not view.plays_from_stacks:
        return {}
    seats = [move for move in shown.moves if move.kind == "seat" and move.unit == CHIPS]
    paying = {move.name for move in seats if move.amount < 0}
    return {name: -held for name, held in shown.balances.items() if held < 0 and name in paying}
