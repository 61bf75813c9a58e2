"""Undoing: what would be taken back, and what was."""

from ledger.api.schemas.base import Answer, Moment, Part, Rows, Table, Text, Whole, says
from ledger.api.schemas.evening import ChangedTableSchema
from ledger.api.schemas.hands import PreviewSchema
from ledger.models import EntryKind, HandAction

_WHAT = says(
    "What was done to a hand, or an entry's kind.",
    enum=[each.value for each in (*HandAction, *EntryKind)],
)


class LastSchema(Answer):
    """What was written last."""

    what = Text(metadata=_WHAT)
    hand = Whole(allow_none=True, metadata=says("The number of the hand, if it was one."))
    player = Text(allow_none=True, metadata=says("The player it was about, if it was one."))
    author = Text()
    entered_at = Moment()


class UndoSchema(Answer):
    """What undoing would take back."""

    last = Part(LastSchema, allow_none=True, metadata=says("Null if there is nothing."))


class UndoPreviewSchema(PreviewSchema):
    """What undoing would take back, and all that it would move."""

    last = Part(LastSchema)


class EntryTakenBackSchema(ChangedTableSchema):
    """An entry taken back."""

    takes_back = Whole(metadata=says("The entry that is reversed."))
    followed = Rows(
        Whole(),
        metadata=says("The numbers of hands that were recalculated because the pots changed."),
    )


class UndoneSchema(Answer):
    """What was taken back, and what everybody holds after it."""

    session = Whole()
    revision = Whole(metadata=says("The session's revision after it."))
    undone = Text(metadata=_WHAT)
    hand = Whole(allow_none=True, metadata=says("The number of the hand, if it was one."))
    followed = Rows(
        Whole(),
        metadata=says(
            "The numbers of later hands that were recalculated because the pots changed."
        ),
    )
    balances = Table(values=Whole(), metadata=says("The chips of each player."))
