"""Sessions: starting, changing, closing and showing a club's evenings."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from operator import attrgetter
from typing import Any

from flask import url_for

from engine.record.fields import to_mapping
from engine.rules.seating import Turn
from ledger.api.access import Read
from ledger.api.blueprint import REVISION, SESSION, Blueprint, Json, Page
from ledger.api.schemas import sessions as shapes
from ledger.api.schemas.lists import EveningsQuery
from ledger.database.models import PlaySession
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import Write
from ledger.services.hands import after_leaving, record
from ledger.services.reads.session import house_rules
from ledger.services.session import session_filter
from ledger.services.session.load import load
from ledger.services.session.view import Rate, SessionView
from ledger.services.table import lifecycle, same_table, start
from ledger.words.problems import Invalid

blueprint = Blueprint("sessions", __name__, "Evenings: who sits where, which game, by which rules.")

_EVENING = {
    "game": "crazy-solo",
    "players": ["Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus"],
    "options": {"rounding": 5},
    "title": "Friday",
    "first_dealer": "Gus",
}


@blueprint.reads("/sessions", shapes.SessionLineSchema(many=True))
@blueprint.pages(EveningsQuery)
def list_sessions(read: Read, page: Page) -> list[PlaySession]:
    """List the club's sessions, newest first."""
    chosen = session_filter.of_query(read.session, page.query)
    rows = start.list_all(read.session, chosen, **page.span)
    return page.of(rows, chosen.count(read.session), attrgetter("id"))


@blueprint.writes("/sessions", shapes.WrittenSessionSchema, 201, tag=REVISION)
@blueprint.accepts(shapes.SessionDraftSchema, examples={"an evening": _EVENING})
def start_session(write: Write, body: Json) -> Any:
    """Start a session. Each seat gets an account with the starting stack."""
    rate = None if body["rate"] is None else Rate(**body["rate"])
    draft = start.SessionDraft(**{**body, "rate": rate})
    with _by_our_names():
        answer = start.start(write, draft)
    place = url_for("api-sessions.show_session", session_id=answer["id"])
    return answer, {"Location": place}


@blueprint.reads(SESSION, shapes.SessionSchema)
def show_session(read: Read, session_id: int) -> Any:
    """Show a session's current state: seats, balances, the next dealer and lead, and its rules."""
    view = load(read.session, session_id)
    try:
        next_hand = record.propose(read.session, session_id)
    except Invalid:  # too few or too many are playing for the game
        return _session_mapping(read.session, view)
    return _session_mapping(read.session, view, next_hand)


@blueprint.writes(SESSION, shapes.WrittenSessionSchema, method="PATCH")
@blueprint.accepts(shapes.TitleDraft, examples={"another title": {"title": "Friday at Dee's"}})
def rename_session(write: Write, body: Json, session_id: int) -> Any:
    """Rename a session, open or closed."""
    return lifecycle.rename(write, session_id, **body)


@blueprint.writes(f"{SESSION}/rules", shapes.WrittenSessionSchema, method="PUT")
@blueprint.accepts(
    shapes.RulesDraft, examples={"pagat's tariff": {"game": "six-bid", "variant": "pagat"}}
)
def change_rules(write: Write, body: Json, session_id: int) -> Any:
    """Change game, variant or house rules from the next hand on; earlier hands keep theirs."""
    with _by_our_names():
        return start.change_rules(write, session_id, **body)


@blueprint.writes(f"{SESSION}/pause", shapes.WrittenSessionSchema)
def pause_session(write: Write, session_id: int) -> Any:
    """Pause a session: no hand is recorded until it is resumed."""
    return lifecycle.pause(write, session_id)


@blueprint.writes(f"{SESSION}/resume", shapes.WrittenSessionSchema)
def resume_session(write: Write, session_id: int) -> Any:
    """Resume a paused session."""
    return lifecycle.resume(write, session_id)


@blueprint.writes(f"{SESSION}/end", shapes.WrittenSessionSchema, method="PUT")
@blueprint.accepts(shapes.EndDraft, examples={"half past ten": {"at": "22:30"}})
def agree_end(write: Write, body: Json, session_id: int) -> Any:
    """Agree on the time at which the evening ends. Pages count down to it; nothing happens then."""
    return lifecycle.agree_end(write, session_id, **body)


@blueprint.writes(f"{SESSION}/close", shapes.ClosedSessionSchema, must_match=True)
def close_session(write: Write, session_id: int) -> Any:
    """Close a session: nothing more is recorded in it until it is reopened.

    Refused (`till-not-empty`) while some players were cashed out for money and others were not. If there is a
    rate and the chips were not cashed in, the session is closed anyway and `unconverted` lists the remaining
    chips: they become money only if the session is reopened and they are cashed in.
    """
    answer = lifecycle.close(write, session_id)
    # A retry of a key from an earlier release gets that release's response, which lacks the field.
    return {"unconverted": {}, **answer}


@blueprint.writes(f"{SESSION}/reopen", shapes.WrittenSessionSchema, must_match=True)
def reopen_session(write: Write, session_id: int) -> Any:
    """Reopen a closed session."""
    return lifecycle.reopen(write, session_id)


@blueprint.writes(f"{SESSION}/again", shapes.StartedAgainSchema, 201)
def start_again(write: Write, session_id: int) -> Any:
    """Start another session like this one: same players, game, house rules, starting chips and rate.

    The next dealer deals first. Archived players are left out and listed in `left_out`.
    """
    answer = same_table.start_again(write, session_id)
    place = url_for("api-sessions.show_session", session_id=answer["id"])
    return answer, {"Location": place}


@blueprint.writes(SESSION, shapes.WrittenSessionSchema, method="DELETE", must_match=True)
def delete_session(write: Write, session_id: int) -> Any:
    """Delete a session without hands, counts or chips other than the starting stacks.

    It disappears from lists and its URL answers 404. The journal keeps its entries.
    """
    return lifecycle.delete(write, session_id)


@contextmanager
def _by_our_names() -> Iterator[None]:
    """Raise errors at a record's key `rules` as errors at `variant`, the API's name for it."""
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


def _session_mapping(
    session: ScopedSession, view: SessionView, next_hand: Turn | None = None
) -> Json:
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
        "blind_round": next_hand.blind and to_mapping(next_hand.blind),
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
