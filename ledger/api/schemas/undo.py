"""Undo: what would be undone, and what was."""

from ledger.api.schemas.base import Answer, Part, Table, Text, Whole
from ledger.api.schemas.hands import MovedSchema, VerdictSchema
from ledger.database.models import EntryKind, HandAction


def _what() -> Text:
    every = [each.value for each in (*HandAction, *EntryKind)]
    return Text("What was done to a hand, or an entry's kind.", enum=every)


class LastSchema(Answer):
    """What was written last."""

    what = _what()
    hand = Whole("The number of the hand, if it was one.", allow_none=True)
    player = Text("The player it was about, if it was one.", allow_none=True)
    author = Text()
    entered_at = Text(metadata={"format": "date-time"})


class UndoSchema(Answer):
    """What would be undone, and redone."""

    last = Part(LastSchema, "What an undo takes back. Null if there is nothing.", allow_none=True)
    redo = Part(
        LastSchema, "What a redo does again. Null without an undo before it.", allow_none=True
    )


class EntryTakenBackSchema(MovedSchema):
    """An entry undone."""

    session = Whole()
    entry = Whole("The reversal; null for a dry run.", allow_none=True)
    takes_back = Whole("The entry that is reversed.")


class UndoneSchema(MovedSchema):
    """What was undone, and what that moves."""

    session = Whole()
    last = Part(LastSchema, "What is undone.")
    undone = _what()
    hand = Whole("The number of the hand, if it was one.", allow_none=True)
    record = Table("The hand's record as it is then; null where it is void.", allow_none=True)
    verdict = Part(VerdictSchema, "Null where no hand stands by it.", allow_none=True)


class RedoneSchema(UndoneSchema):
    """What was redone, and what that moves."""

    class Meta:
        """A redo answers what was redone instead."""

        exclude = ("undone",)

    last = Part(LastSchema, "What is done again.")
    redone = _what()
