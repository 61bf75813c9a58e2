"""An evening's changes: who joins, sits out, comes back, leaves or changes seats, as sent and answered."""

from typing import Any

from marshmallow import missing

from ledger.api.schemas.base import Answer, Rows, Shape, Table, Text, Whole


class Why(Text):
    """Why something written is changed. It is documented as required; whether it is, the service decides."""

    def __init__(self) -> None:
        super().__init__(
            "Why; shown in the history. Up to 500 characters. A dry run can leave it out.",
            required=True,
        )

    def deserialize(self, value: Any, *given: Any, **more: Any) -> Any:
        """Return an empty text if the field is missing."""
        return "" if value is missing else super().deserialize(value, *given, **more)


class PlayerHere(Shape):
    """Somebody who has a seat."""

    player = Text("The name of somebody at the table.", required=True)


class Joining(Shape):
    """Who joins, and where they sit."""

    player = Text("A new name is added to the club.", required=True)
    position = Whole("The place to take, clockwise from 0; if left out, the last.", optional=True)


class Leaving(PlayerHere):
    """Who leaves."""

    reason = Text("Why, for the history.", optional=True)


class WithReason(Shape):
    """Why something is undone."""

    reason = Why()


class LeavingUndone(WithReason):
    """Whose leaving is undone."""

    player = Text("The name of somebody who has left.", required=True)


class Order(Shape):
    """How everybody at the table sits from now on."""

    order = Rows(Text(), "Everybody at the table once, clockwise, by name.", required=True)


def entry_made() -> Whole:
    """Make the field that names what was entered in the journal."""
    return Whole(
        "The journal entry made; null if nothing changed, and for a dry run.", allow_none=True
    )


class ChangedTableSchema(Answer):
    """What was written, and what everybody at the table holds after it."""

    session = Whole()
    revision = Whole("The session's revision after it; of a dry run, the one it looked at.")
    entry = entry_made()
    balances = Table("The chips of each player at the table.", values=Whole())


class JoinedSchema(ChangedTableSchema):
    """A seat taken."""

    seat = Whole("The new seat.")
