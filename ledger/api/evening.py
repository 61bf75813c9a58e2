"""An evening's changes: join late, sit out a while, leave early, change seats."""

from typing import Any

from ledger.api.access import Read, etag, reader, scorer
from ledger.api.blueprint import Blueprint
from ledger.api.hands import shape
from ledger.api.schemas.evening import (
    ChangedTableSchema,
    JoinedSchema,
    Joining,
    Leaving,
    LeavingTakenBack,
    Order,
    PlayerGone,
    PlayerHere,
)
from ledger.api.schemas.hands import PreviewSchema
from ledger.api.schemas.money import QuoteSchema
from ledger.services.common.writing import Write
from ledger.services.money import quotes
from ledger.services.table import cash_out, seating
from ledger.services.undo import leaving as undo_leaving

blueprint = Blueprint(
    "seats", __name__, "Who joins, leaves and sits where, each from the next hand on."
)
Json = dict[str, Any]


@blueprint.answers("POST", "/sessions/<id:session_id>/seats")
@scorer(revision=True)
@blueprint.takes(Joining, examples={"a latecomer": {"player": "Hal", "position": 2}})
@blueprint.gives(JoinedSchema, 201, revision=True, refuses=(404,))
def join_session(write: Write, sent: Json, session_id: int) -> Any:
    """Seat a player; the bank gives them the session's starting stack."""
    answer = seating.join(write, session_id, **sent)
    return answer, etag(answer)


@blueprint.answers("PUT", "/sessions/<id:session_id>/seats")
@scorer(revision=True)
@blueprint.takes(Order, examples={"two change": {"order": ["Bob", "Ann", "Cyd"]}})
@blueprint.gives(ChangedTableSchema, revision=True, refuses=(404,))
def change_seats(write: Write, sent: Json, session_id: int) -> Any:
    """Seat everybody who is here anew; whoever was to deal still is."""
    answer = seating.change_seats(write, session_id, **sent)
    return answer, etag(answer)


@blueprint.answers("POST", "/sessions/<id:session_id>/seats/sit-out")
@scorer(revision=True)
@blueprint.takes(PlayerHere, examples={"a break": {"player": "Bob"}})
@blueprint.gives(ChangedTableSchema, revision=True, refuses=(404,))
def sit_out(write: Write, sent: Json, session_id: int) -> Any:
    """Deal a player no hand until they come back; their chips stay where they are."""
    answer = seating.sit_out(write, session_id, **sent)
    return answer, etag(answer)


@blueprint.answers("POST", "/sessions/<id:session_id>/seats/come-back")
@scorer(revision=True)
@blueprint.takes(PlayerHere, examples={"back again": {"player": "Bob"}})
@blueprint.gives(ChangedTableSchema, revision=True, refuses=(404,))
def come_back(write: Write, sent: Json, session_id: int) -> Any:
    """Deal a player in again who sat out a while."""
    answer = seating.come_back(write, session_id, **sent)
    return answer, etag(answer)


@blueprint.answers("POST", "/sessions/<id:session_id>/seats/leave")
@scorer(revision=True)
@blueprint.takes(Leaving, examples={"the last bus": {"player": "Bob", "reason": "the last bus"}})
@blueprint.gives(ChangedTableSchema, revision=True, refuses=(404,))
def leave_session(write: Write, sent: Json, session_id: int) -> Any:
    """Cash a player out: all chips to the bank and, where the table has a rate, the money for them.

    Nothing moves their chips any more, unless the leaving is taken back.
    """
    answer = cash_out.leave(write, session_id, **sent)
    return answer, etag(answer)


@blueprint.answers("POST", "/sessions/<id:session_id>/seats/leave/preview")
@reader
@blueprint.takes(PlayerHere, examples={"Bob": {"player": "Bob"}})
@blueprint.gives(QuoteSchema, revision=True, refuses=(404, 409))
def preview_leaving(read: Read, sent: Json, session_id: int) -> Any:
    """Show what a player would leave with now, or why they can't. Viewers may look, too."""
    quote = quotes.leaving(read.session, session_id, **sent)
    return quote, etag(quote)


@blueprint.answers("POST", "/sessions/<id:session_id>/seats/take-leaving-back")
@scorer(revision=True)
@blueprint.takes(
    LeavingTakenBack, examples={"no bus": {"player": "Bob", "reason": "missed the bus"}}
)
@blueprint.gives(ChangedTableSchema, revision=True, refuses=(404,))
def take_leaving_back(write: Write, sent: Json, session_id: int) -> Any:
    """Take a player's last leaving back: seat, chips and money are as they were before it."""
    answer = undo_leaving.take_back(write, session_id, **sent)
    return answer, etag(answer)


@blueprint.answers("POST", "/sessions/<id:session_id>/seats/take-leaving-back/preview")
@reader
@blueprint.takes(PlayerGone, examples={"no bus": {"player": "Bob"}})
@blueprint.gives(PreviewSchema, revision=True, refuses=(404, 409))
def preview_taking_leaving_back(read: Read, sent: Json, session_id: int) -> Any:
    """Show every balance that taking a player's leaving back would move. Viewers may look, too."""
    shown = shape(undo_leaving.preview(read.session, session_id, **sent))
    return shown, etag(shown)
