"""Sessions: the evenings of a club, as they are started, changed, closed and shown."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from flask import url_for

from engine.rules.turns import Turn
from ledger.api.access import Read
from ledger.api.blueprint import REVISION, SESSION, Blueprint, Page
from ledger.api.schemas import sessions as shapes
from ledger.database.models import PlaySession
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import Write
from ledger.services.hands import after_leaving, record
from ledger.services.reads.session import house_rules
from ledger.services.session.load import load
from ledger.services.session.view import Rate, SessionView
from ledger.services.table import lifecycle, same_table, start
from ledger.words.problems import Invalid

blueprint = Blueprint("sessions", __name__, "Evenings: who sits where, which game, by which rules.")
Json = dict[str, Any]

_EVENING = {
    "game": "crazy-solo",
    "players": ["Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus"],
    "options": {"rounding": 5},
    "title": "Friday",
    "first_dealer": "Gus",
}


@blueprint.reads("/sessions", shapes.SessionLineSchema(many=True))
@blueprint.pages()
def list_sessions(read: Read, page: Page) -> Sequence[PlaySession]:
    """List the club's sessions, newest first."""
    page.of(start.count(read.session))
    return start.every(read.session, offset=page.offset, limit=page.limit)


@blueprint.writes("/sessions", shapes.WrittenSessionSchema, 201, tag=REVISION)
@blueprint.takes(shapes.SessionDraft, examples={"an evening": _EVENING})
def start_session(write: Write, sent: Json) -> Any:
    """Start a session. Each seat gets an account, with the starting stack on it."""
    rate = None if sent["rate"] is None else Rate(**sent["rate"])
    draft = start.SessionDraft(**{**sent, "rate": rate})
    with _by_our_names():
        answer = start.start(write, draft)
    place = url_for("api-sessions.show_session", session_id=answer["id"])
    return answer, {"Location": place}


@blueprint.reads(SESSION, shapes.SessionSchema)
def show_session(read: Read, session_id: int) -> Any:
    """Show a session as it stands: seats, balances, who deals and leads next, and its rules."""
    view = load(read.session, session_id)
    try:
        next_hand = record.propose(read.session, session_id)
    except Invalid:  # too few or too many are playing for the game
        return _shown(read.session, view)
    return _shown(read.session, view, next_hand)


@blueprint.writes(SESSION, shapes.WrittenSessionSchema, method="PATCH")
@blueprint.takes(shapes.TitleDraft, examples={"another title": {"title": "Friday at Dee's"}})
def rename_session(write: Write, sent: Json, session_id: int) -> Any:
    """Give a session another title; nothing that was played changes. A closed one may be renamed as well."""
    return lifecycle.rename(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/rules", shapes.WrittenSessionSchema, method="PUT")
@blueprint.takes(
    shapes.RulesDraft, examples={"pagat's tariff": {"game": "six-bid", "variant": "pagat"}}
)
def change_rules(write: Write, sent: Json, session_id: int) -> Any:
    """Change game, variant or house rules from the next hand on; earlier hands keep theirs."""
    with _by_our_names():
        return start.change_rules(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/pause", shapes.WrittenSessionSchema)
def pause_session(write: Write, session_id: int) -> Any:
    """Pause a session: no hand is recorded until it is resumed."""
    return lifecycle.pause(write, session_id)


@blueprint.writes(f"{SESSION}/resume", shapes.WrittenSessionSchema)
def resume_session(write: Write, session_id: int) -> Any:
    """Go on with a paused session."""
    return lifecycle.resume(write, session_id)


@blueprint.writes(f"{SESSION}/close", shapes.ClosedSessionSchema, must_match=True)
def close_session(write: Write, session_id: int) -> Any:
    """Close a session: nothing more is recorded in it until it is reopened.

    Refused (`till-not-empty`) while somebody was cashed out for money and the others were not. If a rate was
    agreed on and the chips were not cashed in, it is closed all the same, and `unconverted` says whose chips
    are left: they count in nobody's money until it is reopened and they are cashed in.
    """
    answer = lifecycle.close(write, session_id)
    # A key that was first sent to an earlier release gets that release's answer, which did not say.
    return {"unconverted": {}, **answer}


@blueprint.writes(f"{SESSION}/reopen", shapes.WrittenSessionSchema, must_match=True)
def reopen_session(write: Write, session_id: int) -> Any:
    """Reopen a closed session."""
    return lifecycle.reopen(write, session_id)


@blueprint.writes(f"{SESSION}/again", shapes.StartedAgainSchema, 201)
def start_again(write: Write, session_id: int) -> Any:
    """Start another session like this one: same players, game, house rules, starting chips and rate.

    Whoever was due to deal deals first. Players who are archived are left out; `left_out` names them.
    """
    answer = same_table.start_again(write, session_id)
    place = url_for("api-sessions.show_session", session_id=answer["id"])
    return answer, {"Location": place}


@blueprint.writes(SESSION, shapes.WrittenSessionSchema, method="DELETE", must_match=True)
def delete_session(write: Write, session_id: int) -> Any:
    """Delete a session in which nothing was recorded: no hand, no chips but those all started with, no count.

    It is in no list any more, and nothing is found at its address. The journal keeps what it has of it.
    """
    return lifecycle.delete(write, session_id)


@contextmanager
def _by_our_names() -> Iterator[None]:
    """Name a fault's field as it was sent: what a hand record calls its rules is our variant."""
    try:
        yield
    except Invalid as invalid:
        faults = [
            replace(fault, field="variant", where={**fault.where, "field": "variant"})
            if fault.field == "rules"
            else fault
            for fault in invalid.faults
        ]
        raise Invalid(invalid.message, faults) from invalid


def _shown(session: ScopedSession, view: SessionView, next_hand: Turn | None = None) -> Json:
    return {
        **vars(view),
        "after_leaving": after_leaving.since(session, view),
        "unconverted": view.unconverted,
        "next": next_hand and _next(next_hand),
        "rules": next_hand and _rules(view),
    }


def _next(next_hand: Turn) -> Json:
    return {
        "dealer": next_hand.dealer,
        "lead": next_hand.lead,
        "active": next_hand.table.active,
        "idle": next_hand.table.idle,
        "under": next_hand.under,
        "blind_round": next_hand.blind and next_hand.blind.to_mapping(),
    }


def _rules(view: SessionView) -> Json:
    return {
        "game": view.game,
        "title": view.sheet.title,
        "variant": view.variant,
        "options": {
            slug: dict(value) if isinstance(value, Mapping) else value  # a group, such as the pots
            for slug, value in view.rules.options.items()
        },
        "house_rules": list(house_rules(view.sheet, view.variant, view.options)),
        "bids": view.rules.bids,
        "deck": view.rules.pack.cards,
    }
