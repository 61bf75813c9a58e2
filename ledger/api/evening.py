"""An evening's changes: join late, sit out a while, leave early, change seats."""

from typing import Any

from ledger.api.blueprint import SESSION, Blueprint
from ledger.api.schemas import evening as shapes
from ledger.api.schemas.money import LeftSchema
from ledger.api.schemas.undo import EntryTakenBackSchema
from ledger.services.common.writing import DryRun, Write
from ledger.services.table import cash_out, seating
from ledger.services.undo import leaving as undo_leaving

blueprint = Blueprint(
    "seats", __name__, "Who joins, leaves and sits where, each from the next hand on."
)
Json = dict[str, Any]


@blueprint.writes(f"{SESSION}/seats", shapes.JoinedSchema, 201)
@blueprint.takes(shapes.Joining, examples={"a latecomer": {"player": "Hal", "position": 2}})
def join_session(write: Write, sent: Json, session_id: int) -> Any:
    """Seat a player; the bank gives them the session's starting stack."""
    return seating.join(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/seats", shapes.ChangedTableSchema, method="PUT")
@blueprint.takes(shapes.Order, examples={"two change": {"order": ["Bob", "Ann", "Cyd"]}})
def change_seats(write: Write, sent: Json, session_id: int) -> Any:
    """Change the seats of everybody at the table; whoever was to deal still is."""
    return seating.change_seats(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/seats/sit-out", shapes.ChangedTableSchema)
@blueprint.takes(shapes.PlayerHere, examples={"a break": {"player": "Bob"}})
def sit_out(write: Write, sent: Json, session_id: int) -> Any:
    """Deal a player no hand until they come back; their chips stay where they are."""
    return seating.sit_out(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/seats/come-back", shapes.ChangedTableSchema)
@blueprint.takes(shapes.PlayerHere, examples={"back again": {"player": "Bob"}})
def come_back(write: Write, sent: Json, session_id: int) -> Any:
    """Deal a player in again who sat out a while."""
    return seating.come_back(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/seats/leave", LeftSchema, dry_run=True)
@blueprint.takes(
    shapes.Leaving, examples={"the last bus": {"player": "Bob", "reason": "the last bus"}}
)
def leave_session(write: Write | DryRun, sent: Json, session_id: int) -> Any:
    """Cash a player out: all chips to the bank and, where the table has a rate, the money for them.

    Their seat holds no chips from then on, unless the leaving is undone. If a hand of theirs is changed
    later, the chips it moves go to the bank at once and, at the same rate, become money: see `after_leaving`.
    """
    return cash_out.leave(write, session_id, **sent)


@blueprint.writes(
    f"{SESSION}/seats/take-leaving-back", EntryTakenBackSchema, must_match=True, dry_run=True
)
@blueprint.takes(
    shapes.LeavingUndone, examples={"no bus": {"player": "Bob", "reason": "missed the bus"}}
)
def take_leaving_back(write: Write | DryRun, sent: Json, session_id: int) -> Any:
    """Undo a player's last leaving: seat, chips and money are as they were before it.

    What hands came to that were changed since goes back to the seat as well.
    """
    return undo_leaving.take_back(write, session_id, **sent)
