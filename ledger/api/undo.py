"""Undo and redo of a session's last steps, and undo of older entries other than hands."""

from typing import Any

from ledger.api.access import Read
from ledger.api.blueprint import SESSION, Blueprint
from ledger.api.schemas.evening import WithReason
from ledger.api.schemas.undo import EntryTakenBackSchema, RedoneSchema, UndoneSchema, UndoSchema
from ledger.services.common.writing import DryRun, Write
from ledger.services.undo import entry, last

blueprint = Blueprint("undo", __name__, "What was recorded, undone.")


@blueprint.reads(f"{SESSION}/undo", UndoSchema)
def show_undo(read: Read, session_id: int) -> Any:
    """Show the next step to undo and the next to redo."""
    steps = last.look(read.session, session_id)
    return {
        "last": steps.last and steps.last.to_mapping(),
        "redo": steps.redo and steps.redo.to_mapping(),
    }


@blueprint.writes(f"{SESSION}/undo", UndoneSchema, must_match=True, dry_run=True)
def undo_last(write: Write | DryRun, session_id: int) -> Any:
    """Undo the last step still in force, for example a hand, its correction, a loan or a leaving.

    Each further undo goes one step back. The ledger keeps both entries. A dry run shows the step first; sent
    with its `ETag`, the undo applies to exactly that step or fails. Starting chips, closing and reopening are
    never undone, nor are the steps before them.
    """
    return last.undo(write, session_id)


@blueprint.writes(f"{SESSION}/redo", RedoneSchema, must_match=True, dry_run=True)
def redo_last(write: Write | DryRun, session_id: int) -> Any:
    """Redo the step undone last. 409, `nothing-to-redo`, if there was another write since.

    Each further redo goes one step further forward. The dry run shows what would be redone.
    """
    return last.redo(write, session_id)


@blueprint.writes(
    f"{SESSION}/entries/<id:entry_id>/take-back",
    EntryTakenBackSchema,
    must_match=True,
    dry_run=True,
)
@blueprint.accepts(WithReason, examples={"a wrong rate": {"reason": "the rate was wrong"}})
def take_entry_back(
    write: Write | DryRun, body: dict[str, Any], session_id: int, entry_id: int
) -> Any:
    """Undo an entry that is not a hand, such as a conversion, a loan or an adjustment.

    Refused if something done later depends on it. Hands played since for a pot that it moved are
    recalculated. A hand is corrected or voided instead.
    """
    return entry.take_back(write, session_id, entry_id, reason=body["reason"])
