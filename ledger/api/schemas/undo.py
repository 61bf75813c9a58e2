"""Schemas of undo and redo."""

from ledger.api.schemas.base import Part, ResponseShape, Table, Text, WholeNumber
from ledger.api.schemas.hands import RECORD, MovedSchema, VerdictSchema
from ledger.database.models import EntryKind, HandAction


def _action() -> Text:
    kinds = [kind.value for kind in (*HandAction, *EntryKind)]
    return Text("The action on a hand, or the kind of an entry.", enum=kinds)


class LastSchema(ResponseShape):
    """A step that can be undone or redone."""

    what = _action()
    hand = WholeNumber("The number of the hand, if it was one.", allow_none=True)
    player = Text("The player it concerns, if any.", allow_none=True)
    author = Text()
    entered_at = Text(metadata={"format": "date-time"})


class UndoSchema(ResponseShape):
    """The next steps to undo and redo."""

    last = Part(
        LastSchema, "The step that an undo reverses. Null if there is none.", allow_none=True
    )
    redo = Part(LastSchema, "The step that a redo repeats. Null if there is none.", allow_none=True)


class EntryTakenBackSchema(MovedSchema):
    """An undone entry."""

    session = WholeNumber()
    entry = WholeNumber("The reversal; null for a dry run.", allow_none=True)
    takes_back = WholeNumber("The entry that is reversed.")


class UndoneSchema(MovedSchema):
    """An undone step and its effect on balances."""

    session = WholeNumber()
    last = Part(LastSchema, "The step that is undone.")
    undone = _action()
    hand = WholeNumber("The number of the hand, if it was one.", allow_none=True)
    record = Table(
        "The hand's record after the undo; null if it is void.", allow_none=True, metadata=RECORD
    )
    verdict = Part(VerdictSchema, "Null if there is no valid hand after it.", allow_none=True)


class RedoneSchema(UndoneSchema):
    """A redone step and its effect on balances."""

    class Meta:
        """Replaces ``undone`` by ``redone``."""

        exclude = ("undone",)

    last = Part(LastSchema, "The step that is redone.")
    redone = _action()
