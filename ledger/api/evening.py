"""An evening's changes: join late, sit out a while, leave early, change seats."""

from typing import Any

from ledger.api.access import scorer
from ledger.api.blueprint import Blueprint
from ledger.api.schemas.evening import (
    ChangedTableSchema,
    JoinedSchema,
    Joining,
    Leaving,
    LeavingUndone,
    Order,
    PlayerHere,
)
from ledger.api.schemas.money import LeftSchema
from ledger.api.schemas.undo import EntryTakenBackSchema
from ledger.services.common.writing import DryRun, Write
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
    return seating.join(write, session_id, **sent)


@blueprint.answers("PUT", "/sessions/<id:session_id>/seats")
@scorer(revision=True)
@blueprint.takes(Order, examples={"two change": {"order": ["Bob", "Ann", "Cyd"]}})
@blueprint.gives(ChangedTableSchema, revision=True, refuses=(404,))
def change_seats(write: Write, sent: Json, session_id: int) -> Any:
    """Change the seats of everybody at the table; whoever was to deal still is."""
    return seating.change_seats(write, session_id, **sent)


@blueprint.answers("POST", "/sessions/<id:session_id>/seats/sit-out")
@scorer(revision=True)
@blueprint.takes(PlayerHere, examples={"a break": {"player": "Bob"}})
@blueprint.gives(ChangedTableSchema, revision=True, refuses=(404,))
def sit_out(write: Write, sent: Json, session_id: int) -> Any:
    """Deal a player no hand until they come back; their chips stay where they are."""
    return seating.sit_out(write, session_id, **sent)


@blueprint.answers("POST", "/sessions/<id:session_id>/seats/come-back")
@scorer(revision=True)
@blueprint.takes(PlayerHere, examples={"back again": {"player": "Bob"}})
@blueprint.gives(ChangedTableSchema, revision=True, refuses=(404,))
def come_back(write: Write, sent: Json, session_id: int) -> Any:
    """Deal a player in again who sat out a while."""
    return seating.come_back(write, session_id, **sent)


@blueprint.answers("POST", "/sessions/<id:session_id>/seats/leave")
@scorer(revision=True, dry_run=True)
@blueprint.takes(Leaving, examples={"the last bus": {"player": "Bob", "reason": "the last bus"}})
@blueprint.gives(LeftSchema, revision=True, refuses=(404,))
def leave_session(write: Write | DryRun, sent: Json, session_id: int) -> Any:
    """Cash a player out: all chips to the bank and, where the table has a rate, the money for them.

    Nothing moves their chips any more, unless the leaving is undone.
    """
    return cash_out.leave(write, session_id, **sent)


@blueprint.answers("POST", "/sessions/<id:session_id>/seats/take-leaving-back")
@scorer(revision=True, must_match=True, dry_run=True)
@blueprint.takes(LeavingUndone, examples={"no bus": {"player": "Bob", "reason": "missed the bus"}})
@blueprint.gives(EntryTakenBackSchema, revision=True, refuses=(404,))
def take_leaving_back(write: Write | DryRun, sent: Json, session_id: int) -> Any:
    """Undo a player's last leaving: seat, chips and money are as they were before it."""
    return undo_leaving.take_back(write, session_id, **sent)
