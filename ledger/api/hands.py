"""Operations on hands: record, correct, void, restore, and show with their history."""

from dataclasses import replace
from operator import attrgetter
from typing import Any

from ledger.api.access import Read
from ledger.api.blueprint import HAND, SESSION, Blueprint, Json, Page
from ledger.api.schemas import hands as shapes
from ledger.api.schemas.evening import WithReason
from ledger.api.schemas.lists import HandsQuery
from ledger.services.chips import hand_and_loan
from ledger.services.common.writing import DryRun, Write
from ledger.services.hands import confirm, correct, versions
from ledger.services.reads import session
from ledger.services.reads.hand_search import HandFilter
from ledger.services.reads.summary import HandLine

blueprint = Blueprint(
    "hands", __name__, "One deal and its play: what it pays, and every correction."
)

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
@blueprint.pages(HandsQuery)
def list_hands(read: Read, page: Page, session_id: int) -> list[HandLine]:
    """List a session's hands, first to last, with the running balances and the versions replaced."""
    has_records = page.query.pop("include", None) is not None
    after = page.query.pop("after", 0)
    chosen = HandFilter(**page.query)
    hands, total = session.page_of_hands(read.session, session_id, chosen, after=after, **page.span)
    rows = page.of(hands, total, attrgetter("number"))
    return rows if has_records else [replace(hand, record=None) for hand in rows]


@blueprint.reads(HAND, shapes.HandSchema)
def show_hand(read: Read, session_id: int, number: int) -> Json:
    """Show a hand: its current record and verdict, and all its versions."""
    history = versions.of_hand(read.session, session_id, number)
    current = history[-1]
    fields = {key: getattr(current, key) for key in ("number", "state", "version", "record")}
    fields["unconfirmed"] = current.unconfirmed_from is not None
    return {**fields, "verdict": current.localized_verdict, "versions": history}


@blueprint.writes(
    f"{SESSION}/hands", shapes.RecordedHandSchema, 201, dry_run=True, already_json=True
)
@blueprint.accepts(shapes.NewHand, examples=_EXAMPLES)
def record_hand(write: Write | DryRun, draft: Json, session_id: int) -> Any:
    """Record the next hand and pay it.

    The game, rules, players and dealer may be left out: the session determines them. Another dealer or lead
    may be named. With `lend`, the bank lends missing chips in the same write; undoing the hand undoes that
    loan, too.
    """
    if isinstance(write, DryRun):
        return hand_and_loan.record(write, session_id, draft)
    # A key that was first used with an earlier release gets that release's response, without these keys.
    response = {"short": {}, "lent": {}, **hand_and_loan.record(write, session_id, draft)}
    location = f"{blueprint.url_prefix}/sessions/{session_id}/hands/{response['hand']}"
    return response, {"Location": location}


@blueprint.writes(
    HAND, shapes.WrittenHandSchema, method="PUT", must_match=True, dry_run=True, already_json=True
)
@blueprint.accepts(
    shapes.CorrectionSchema,
    examples={"a miscount": {"hand": {**_CRAZY, "points": 47}, "reason": "47, not 74"}},
)
def correct_hand(write: Write | DryRun, body: Json, session_id: int, number: int) -> Any:
    """Correct a hand, by the rules it was played by; every later balance changes with it.

    The ledger keeps the old version: its entry is reversed, and a new one is posted.
    """
    return correct.correct(write, session_id, number, **body)


@blueprint.writes(
    f"{HAND}/void", shapes.WrittenHandSchema, must_match=True, dry_run=True, already_json=True
)
@blueprint.accepts(WithReason, examples={"a misdeal": {"reason": "misdeal"}})
def void_hand(write: Write | DryRun, body: Json, session_id: int, number: int) -> Any:
    """Remove a hand from every balance; it stays in the history."""
    return correct.void(write, session_id, number, **body)


@blueprint.writes(
    f"{HAND}/restore", shapes.WrittenHandSchema, must_match=True, dry_run=True, already_json=True
)
@blueprint.accepts(WithReason, examples={"no misdeal": {"reason": "it was not a misdeal"}})
def restore_hand(write: Write | DryRun, body: Json, session_id: int, number: int) -> Any:
    """Restore the last content of a void hand; every later balance changes with it."""
    return correct.restore(write, session_id, number, **body)


@blueprint.writes(f"{HAND}/confirm", shapes.ConfirmedHandSchema)
@blueprint.accepts(shapes.ConfirmationDraft, examples={"as first recorded": {"version": 1}})
def confirm_hand(write: Write, body: Json, session_id: int, number: int) -> Any:
    """Confirm a hand that another device or token entered, if the club requires it (`PATCH /club/money`).

    A corrected hand needs a new confirmation. It changes no balance and no revision.
    """
    return confirm.confirm(write, session_id, number, **body)
