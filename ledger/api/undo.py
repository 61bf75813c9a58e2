"""Undoing what was written last in a session, whatever it was; taking back what is older and no hand's."""

from typing import Any

from ledger.api.access import Read, etag, reader, scorer
from ledger.api.blueprint import Blueprint
from ledger.api.hands import shape
from ledger.api.schemas.evening import TakingBack
from ledger.api.schemas.hands import PreviewSchema
from ledger.api.schemas.undo import (
    EntryTakenBackSchema,
    UndoneSchema,
    UndoPreviewSchema,
    UndoSchema,
)
from ledger.services.common.writing import Write
from ledger.services.undo import other_entries, undo

blueprint = Blueprint("undo", __name__, "What was recorded, undone.")


@blueprint.answers("GET", "/sessions/<id:session_id>/undo")
@reader
@blueprint.gives(UndoSchema, revision=True, refuses=(404,))
def show_undo(read: Read, session_id: int) -> Any:
    """Show what was written last, which undoing would take back."""
    found = undo.look(read.session, session_id)
    return {"last": found.last}, etag(found)


@blueprint.answers("GET", "/sessions/<id:session_id>/undo/preview")
@reader
@blueprint.gives(UndoPreviewSchema, revision=True, refuses=(404, 409))
def preview_undo(read: Read, session_id: int) -> Any:
    """Show every balance that undoing would move, whatever it takes back. Refused as undoing would be.

    Send the revision in `If-Match` when you undo: then it is this that is taken back, or nothing.
    """
    found = undo.preview(read.session, session_id)
    shown = {**shape(found.preview), "last": found.last}
    return shown, etag(shown)


@blueprint.answers("POST", "/sessions/<id:session_id>/undo")
@scorer(revision=True)
@blueprint.gives(UndoneSchema, revision=True, refuses=(404,))
def undo_last(write: Write, session_id: int) -> Any:
    """Take back what was written last, such as a hand, its correction, a loan, a leaving or a break.

    The books keep both. Send `If-Match` with it, or what is undone may be somebody else's.
    """
    answer = undo.undo(write, session_id)
    return answer, etag(answer)


@blueprint.answers("GET", "/sessions/<id:session_id>/entries/<id:entry_id>/take-back/preview")
@reader
@blueprint.gives(PreviewSchema, revision=True, refuses=(404, 409))
def preview_taking_entry_back(read: Read, session_id: int, entry_id: int) -> Any:
    """Show every balance that taking an entry back would move, and every hand that would follow."""
    shown = shape(other_entries.preview_taking_back(read.session, session_id, entry_id))
    return shown, etag(shown)


@blueprint.answers("POST", "/sessions/<id:session_id>/entries/<id:entry_id>/take-back")
@scorer(revision=True)
@blueprint.takes(TakingBack, examples={"a wrong rate": {"reason": "the rate was wrong"}})
@blueprint.gives(EntryTakenBackSchema, revision=True, refuses=(404,))
def take_entry_back(write: Write, sent: dict[str, Any], session_id: int, entry_id: int) -> Any:
    """Take an entry back that is no hand's, such as a conversion, a loan or an adjustment.

    Refused where something hangs on it that was done later. Hands played since for a pot that it moved
    are paid anew. A hand is corrected or voided instead.
    """
    answer = other_entries.take_back(
        write,
        session_id,
        entry_id,
        reason=sent["reason"],
    )
    return answer, etag(answer)
