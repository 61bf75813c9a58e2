"""Evenings that were scored on paper: entering and correcting them."""

from typing import Any

from flask import url_for

from ledger.api.blueprint import SESSION, Blueprint, Json
from ledger.api.schemas.sessions import PaperEveningDraft, WrittenSessionSchema
from ledger.services.common.writing import Write
from ledger.services.session.view import Rate
from ledger.services.table import paper

blueprint = Blueprint("paper", __name__, "Evenings that were scored on paper: a result, no hands.")

_EVENING = {
    "game": "crazy-solo",
    "started_on": "2026-01-30",
    "won": {"Ann": 40, "Bob": -30, "Cyd": -10},
}


@blueprint.writes("/paper-evenings", WrittenSessionSchema, 201)
@blueprint.accepts(PaperEveningDraft, examples={"an evening": _EVENING})
def enter_paper_evening(write: Write, body: Json) -> Any:
    """Enter an evening that was scored on paper. It is closed, and counts in all totals without hands.

    With a rate its chips are cashed in at once. The same evening is refused a second time (`same-evening`)
    unless it has another title. `DELETE /sessions/{session_id}` removes it: its entries are reversed, and it
    counts nowhere.
    """
    answer = paper.enter(write, _evening(body))
    return answer, {"Location": url_for("api-sessions.show_session", session_id=answer["id"])}


@blueprint.writes(f"{SESSION}/paper-result", WrittenSessionSchema, method="PUT", must_match=True)
@blueprint.accepts(PaperEveningDraft, examples={"another result": _EVENING})
def correct_paper_evening(write: Write, body: Json, session_id: int) -> Any:
    """Replace an evening that was scored on paper: the old one is reversed, and the new one has a new id."""
    return paper.correct(write, session_id, _evening(body))


def _evening(body: Json) -> paper.PaperEvening:
    unit = body.pop("unit")
    rate = body.pop("rate")
    return paper.PaperEvening(
        **body, in_money=unit == "money", rate=None if rate is None else Rate(**rate)
    )
