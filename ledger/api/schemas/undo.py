"""Undoing: what would be taken back, and what was."""

from ledger.api.schemas.base import Answer, Moment, Part, Rows, Table, Text, Whole
from ledger.api.schemas.evening import ChangedTableSchema
from ledger.api.schemas.hands import PreviewSchema
from ledger.models import EntryKind, HandAction


def _what() -> Text:
    every = [each.value for each in (*HandAction, *EntryKind)]
    return Text("What was done to a hand, or an entry's kind.", enum=every)


class LastSchema(Answer):
    """What was written last."""

    what = _what()
    hand = Whole("The number of the hand, if it was one.", allow_none=True)
    player = Text("The player it was about, if it was one.", allow_none=True)
    author = Text()
    entered_at = Moment()


class UndoSchema(Answer):
    """What undoing would take back."""

    last = Part(LastSchema, "Null if there is nothing.", allow_none=True)


class UndoPreviewSchema(PreviewSchema):
    """What undoing would take back, and all that it would move."""

    last = Part(LastSchema)


class EntryTakenBackSchema(ChangedTableSchema):
    """An entry taken back."""

    takes_back = Whole("The entry that is reversed.")
    followed = Rows(
        Whole(), "The numbers of hands that were recalculated because the pots changed."
    )


class UndoneSchema(Answer):
    """What was taken back, and what everybody holds after it."""

    session = Whole()
    revision = Whole("The session's revision after it.")
    undone = _what()
    hand = Whole("The number of the hand, if it was one.", allow_none=True)
    followed = Rows(
        Whole(), "The numbers of later hands that were recalculated because the pots changed."
    )
    balances = Table("The chips of each player.", values=Whole())
