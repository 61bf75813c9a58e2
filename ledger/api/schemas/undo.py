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
    hand = Whole("The number of the hand it was done to, if any.", allow_none=True)
    player = Text("Whom it was about, where it was about one.", allow_none=True)
    author = Text()
    entered_at = Moment()


class UndoSchema(Answer):
    """What undoing would take back."""

    last = Part(LastSchema, "Null where there is nothing.", allow_none=True)


class UndoPreviewSchema(PreviewSchema):
    """What undoing would take back, and all that it would move."""

    last = Part(LastSchema)


class EntryTakenBackSchema(ChangedTableSchema):
    """An entry taken back."""

    takes_back = Whole("The entry that is taken back.")
    followed = Rows(Whole(), "The numbers of hands that were paid anew for other pots.")


class UndoneSchema(Answer):
    """What was taken back, and what everybody holds after it."""

    session = Whole()
    revision = Whole("The session's revision after it.")
    undone = _what()
    hand = Whole("The number of the hand it was done to, if any.", allow_none=True)
    followed = Rows(Whole(), "The numbers of later hands that were paid anew for other pots.")
    balances = Table("The chips of each player.", values=Whole())
