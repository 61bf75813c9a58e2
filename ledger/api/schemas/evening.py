"""Schemas of changes at the table: joining, sitting out, leaving and changing seats."""

from typing import Any

from marshmallow import missing

from ledger.api.schemas.base import ResponseShape, Rows, Shape, Table, Text, WholeNumber


class Why(Text):
    """The reason for a change. It is documented as required, but a dry run needs none."""

    def __init__(self) -> None:
        super().__init__(
            "Why; shown in the history. Up to 500 characters. A dry run can leave it out.",
            required=True,
        )

    def deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        """Return the text, or an empty one if the field is missing."""
        return "" if value is missing else super().deserialize(value, *args, **more)


class PlayerHere(Shape):
    """A player at the table."""

    player = Text("The name of somebody at the table.", required=True)


class Joining(Shape):
    """A joining player and their position."""

    player = Text("A new name is added to the club.", required=True)
    position = WholeNumber(
        "The place to take, clockwise from 0; if left out, the last.", optional=True
    )


class Leaving(PlayerHere):
    """A leaving player and the reason."""

    reason = Text("Why, for the history.", optional=True)


class WithReason(Shape):
    """The reason for an undo."""

    reason = Why()


class LeavingUndone(WithReason):
    """A player who left, and the reason for undoing it."""

    player = Text("The name of somebody who has left.", required=True)


class OrderSchema(Shape):
    """The new order of the seats."""

    order = Rows(Text(), "Everybody at the table once, clockwise, by name.", required=True)


def entry_made() -> WholeNumber:
    """Return the field for the id of a new journal entry."""
    return WholeNumber(
        "The journal entry made; null if nothing changed, and for a dry run.", allow_none=True
    )


class ChangedTableSchema(ResponseShape):
    """A write, and every player's chips after it."""

    session = WholeNumber()
    revision = WholeNumber("The session's revision after it; of a dry run, the one it looked at.")
    entry = entry_made()
    balances = Table("The chips of each player at the table.", values=WholeNumber())


class JoinedSchema(ChangedTableSchema):
    """A seat taken."""

    seat = WholeNumber("The new seat.")
