"""Undoing what was written last in a session, whatever it was."""

from typing import Any

from ledger.access import Access
from ledger.api.access import Write, database, etag, reader, scorer
from ledger.api.blueprint import Blueprint
from ledger.api.hands import shape
from ledger.api.schemas.undo import UndoneSchema, UndoPreviewSchema, UndoSchema
from ledger.services import undo

blueprint = Blueprint("undo", __name__, "What was written last, taken back.")


@blueprint.answers("GET", "/sessions/<id:session_id>/undo")
@reader
@blueprint.gives(UndoSchema, revision=True, refuses=(404,))
def show_undo(access: Access, session_id: int) -> Any:
    """Show what was written last, which undoing would take back."""
    found = undo.look(database(), access, session_id)
    return {"last": found.last}, etag(found)


@blueprint.answers("GET", "/sessions/<id:session_id>/undo/preview")
@reader
@blueprint.gives(UndoPreviewSchema, revision=True, refuses=(404, 409))
def preview_undo(access: Access, session_id: int) -> Any:
    """Show every balance that undoing would move, whatever it takes back. Refused as undoing would be.

    Send the revision in `If-Match` when you undo: then it is this that is taken back, or nothing.
    """
    found = undo.preview(database(), access, session_id)
    shown = {**shape(found.preview), "last": found.last}
    return shown, etag(shown)


@blueprint.answers("POST", "/sessions/<id:session_id>/undo")
@scorer(revision=True)
@blueprint.gives(UndoneSchema, revision=True, refuses=(404,))
def undo_last(write: Write, session_id: int) -> Any:
    """Take back what was written last, such as a hand, its correction, a loan, a leaving or a break.

    The books keep both. Send `If-Match` with it, or what is undone may be somebody else's.
    """
    answer = undo.undo(database(), write.access, write.key, session_id, revision=write.revision)
    return answer, etag(answer)
