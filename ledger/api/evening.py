"""Changes at the table: joining, sitting out, leaving and changing seats."""

from typing import Any

from ledger.api.blueprint import SESSION, Blueprint, Json
from ledger.api.schemas import evening as shapes
from ledger.api.schemas.money import LeftSchema
from ledger.api.schemas.undo import EntryTakenBackSchema
from ledger.services.common.writing import DryRun, Write
from ledger.services.table import cash_out, seating
from ledger.services.undo import leaving as undo_leaving

blueprint = Blueprint(
    "seats", __name__, "Who joins, leaves and sits where, each from the next hand on."
)


@blueprint.writes(f"{SESSION}/seats", shapes.JoinedSchema, 201)
@blueprint.accepts(shapes.Joining, examples={"a latecomer": {"player": "Hal", "position": 2}})
def join_session(write: Write, body: Json, session_id: int) -> Any:
    """Seat a player; the bank gives them the session's starting stack."""
    return seating.join(write, session_id, **body)


@blueprint.writes(f"{SESSION}/seats", shapes.ChangedTableSchema, method="PUT")
@blueprint.accepts(shapes.OrderSchema, examples={"two change": {"order": ["Bob", "Ann", "Cyd"]}})
def change_seats(write: Write, body: Json, session_id: int) -> Any:
    """Change the order of the seats; the next dealer stays the same."""
    return seating.change_seats(write, session_id, **body)


@blueprint.writes(f"{SESSION}/seats/sit-out", shapes.ChangedTableSchema)
@blueprint.accepts(shapes.PlayerHere, examples={"a break": {"player": "Bob"}})
def sit_out(write: Write, body: Json, session_id: int) -> Any:
    """Let a player sit out until they come back; they keep their chips."""
    return seating.sit_out(write, session_id, **body)


@blueprint.writes(f"{SESSION}/seats/come-back", shapes.ChangedTableSchema)
@blueprint.accepts(shapes.PlayerHere, examples={"back again": {"player": "Bob"}})
def come_back(write: Write, body: Json, session_id: int) -> Any:
    """Deal a player in again after sitting out."""
    return seating.come_back(write, session_id, **body)


@blueprint.writes(f"{SESSION}/seats/leave", LeftSchema, dry_run=True)
@blueprint.accepts(
    shapes.Leaving, examples={"the last bus": {"player": "Bob", "reason": "the last bus"}}
)
def leave_session(write: Write | DryRun, body: Json, session_id: int) -> Any:
    """Cash a player out: their chips go to the bank and, if the session has a rate, become money.

    If one of their hands is changed later, the chips it moves go to the bank and become money at the same
    rate: see `after_leaving`.
    """
    return cash_out.leave(write, session_id, **body)


@blueprint.writes(
    f"{SESSION}/seats/take-leaving-back", EntryTakenBackSchema, must_match=True, dry_run=True
)
@blueprint.accepts(
    shapes.LeavingUndone, examples={"no bus": {"player": "Bob", "reason": "missed the bus"}}
)
def take_leaving_back(write: Write | DryRun, body: Json, session_id: int) -> Any:
    """Undo a player's last leaving: their seat, chips and money are restored.

    Chips from hands that were changed since then return to the seat as well.
    """
    return undo_leaving.take_back(write, session_id, **body)
