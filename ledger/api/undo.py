"""Undoing what was done last in a session, whatever it was, and older entries that are not hands."""

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
    """Show what can be undone next, and what can be redone."""
    found = last.look(read.session, session_id)
    return {
        "last": found.last and found.last.to_mapping(),
        "redo": found.redo and found.redo.to_mapping(),
    }


@blueprint.writes(f"{SESSION}/undo", UndoneSchema, must_match=True, dry_run=True)
def undo_last(write: Write | DryRun, session_id: int) -> Any:
    """Undo the last thing done that is still in force, such as a hand, its correction, a loan or a leaving.

    Each further undo goes one step further back. The ledger keeps both. Ask by a dry run first what would be
    undone: with its `ETag` this is undone, or nothing. The starting chips, closing and reopening are never
    undone, nor is what is older than they are.
    """
    return last.undo(write, session_id)


@blueprint.writes(f"{SESSION}/redo", RedoneSchema, must_match=True, dry_run=True)
def redo_last(write: Write | DryRun, session_id: int) -> Any:
    """Redo what was undone last, as long as nothing else was done since (409, `nothing-to-redo`).

    Each further redo goes one step further forward. The dry run shows what would be redone.
    """
    return last.redo(write, session_id)


@blueprint.writes(
    f"{SESSION}/entries/<id:entry_id>/take-back",
    EntryTakenBackSchema,
    must_match=True,
    dry_run=True,
)
@blueprint.takes(WithReason, examples={"a wrong rate": {"reason": "the rate was wrong"}})
def take_entry_back(
    write: Write | DryRun, sent: dict[str, Any], session_id: int, entry_id: int
) -> Any:
    """Undo an entry that is not a hand, such as a conversion, a loan or an adjustment.

    Refused if something done later depends on it. Hands played since for a pot that it moved are
    recalculated. A hand is corrected or voided instead.
    """
    return entry.take_back(write, session_id, entry_id, reason=sent["reason"])
