"""Hands: recorded, corrected, voided, and looked up with their history."""

from typing import Any

from ledger.api.access import Read
from ledger.api.blueprint import HAND, SESSION, Blueprint, Page
from ledger.api.schemas import hands as shapes
from ledger.api.schemas.evening import WithReason
from ledger.services.chips import hand_and_loan
from ledger.services.common.writing import DryRun, Write
from ledger.services.hands import correct, versions
from ledger.services.reads import session
from ledger.services.reads.summary import HandLine
from ledger.services.session.load import load

blueprint = Blueprint(
    "hands", __name__, "One deal and its play: what it pays, and every correction."
)
Json = dict[str, Any]

_CRAZY = {
    "contract": {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob"},
    "points": 74,
}
_EXAMPLES = {
    "Crazy Solo": _CRAZY,
    "Six-Bid": {"contract": {"bidder": "Ann", "bid": "solo", "trump": "S"}, "points": 72},
    "all passed": {"contract": {"bid": "pass"}},
}


@blueprint.reads(f"{SESSION}/hands", shapes.HandLineSchema(many=True))
@blueprint.pages()
def list_hands(read: Read, page: Page, session_id: int) -> list[HandLine]:
    """List a session's hands, first to last, with the running balances and the versions replaced."""
    page.of(load(read.session, session_id).hands_dealt)
    return session.hands(
        read.session, session_id, first=page.offset + 1, last=page.offset + page.limit
    )


@blueprint.reads(HAND, shapes.HandSchema)
def show_hand(read: Read, session_id: int, number: int) -> Json:
    """Show a hand: its record and verdict as they hold now, and every version there was."""
    *_, current = every = versions.of_hand(read.session, session_id, number)
    keys = ("number", "state", "version", "record")
    shown = {key: getattr(current, key) for key in keys}
    return {**shown, "verdict": current.localized_verdict, "versions": every}


@blueprint.writes(
    f"{SESSION}/hands", shapes.RecordedHandSchema, 201, dry_run=True, already_json=True
)
@blueprint.accepts(shapes.NewHand, examples=_EXAMPLES)
def record_hand(write: Write | DryRun, draft: Json, session_id: int) -> Any:
    """Record the next hand and pay it.

    What the session knows may be left out: game, rules, players, and the dealer who is due. A table that
    wants it otherwise says who deals, or who leads. Who is short of chips for it is lent them in the same
    write, if `lend` says so; undoing the hand undoes that loan, too.
    """
    if isinstance(write, DryRun):
        return hand_and_loan.record(write, session_id, draft)
    # A key that was first sent to an earlier release gets that release's answer, which lent nothing.
    answer = {"short": {}, "lent": {}, **hand_and_loan.record(write, session_id, draft)}
    place = f"{blueprint.url_prefix}/sessions/{session_id}/hands/{answer['hand']}"
    return answer, {"Location": place}


@blueprint.writes(
    HAND, shapes.WrittenHandSchema, method="PUT", must_match=True, dry_run=True, already_json=True
)
@blueprint.accepts(
    shapes.CorrectionSchema,
    examples={"a miscount": {"hand": {**_CRAZY, "points": 47}, "reason": "47, not 74"}},
)
def correct_hand(write: Write | DryRun, sent: Json, session_id: int, number: int) -> Any:
    """Correct a hand, by the rules it was played by; every later balance follows.

    The ledger keeps the old version: its entry is reversed, and a new one made.
    """
    return correct.correct(write, session_id, number, **sent)


@blueprint.writes(
    f"{HAND}/void", shapes.WrittenHandSchema, must_match=True, dry_run=True, already_json=True
)
@blueprint.accepts(WithReason, examples={"a misdeal": {"reason": "misdeal"}})
def void_hand(write: Write | DryRun, sent: Json, session_id: int, number: int) -> Any:
    """Take a hand out of every balance; it stays in the history."""
    return correct.void(write, session_id, number, **sent)


@blueprint.writes(
    f"{HAND}/restore", shapes.WrittenHandSchema, must_match=True, dry_run=True, already_json=True
)
@blueprint.accepts(WithReason, examples={"no misdeal": {"reason": "it was not a misdeal"}})
def restore_hand(write: Write | DryRun, sent: Json, session_id: int, number: int) -> Any:
    """Restore a void hand as it last was; every later balance follows."""
    return correct.restore(write, session_id, number, **sent)
