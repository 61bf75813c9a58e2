"""An evening's changes: who joins, sits out, comes back, leaves or changes seats, as sent and answered."""

from ledger.api.schemas.base import Answer, Rows, Shape, Table, Text, Whole, says


class PlayerHere(Shape):
    """Somebody who has a seat."""

    player = Text(required=True, metadata=says("The name of somebody at the table."))


class Joining(Shape):
    """Who joins, and where they sit."""

    player = Text(required=True, metadata=says("A new name is added to the club."))
    position = Whole(
        load_default=None,
        allow_none=True,
        metadata=says("The place to take, clockwise from 0; if left out, the last."),
    )


class Leaving(PlayerHere):
    """Who leaves."""

    reason = Text(load_default=None, allow_none=True, metadata=says("Why, for the history."))


class TakingBack(Shape):
    """Why something is taken back."""

    reason = Text(required=True, metadata=says("Why; shown in the history. Up to 500 characters."))


class PlayerGone(Shape):
    """Somebody who has left."""

    player = Text(required=True, metadata=says("The name of somebody who has left."))


class LeavingTakenBack(TakingBack, PlayerGone):
    """Whose leaving is taken back."""


class Order(Shape):
    """How everybody who is here sits from now on."""

    order = Rows(
        Text(), required=True, metadata=says("Everybody at the table once, clockwise, by name.")
    )


class ChangedTableSchema(Answer):
    """What was written, and what everybody at the table holds after it."""

    session = Whole()
    revision = Whole(metadata=says("The session's revision after it."))
    entry = Whole(
        allow_none=True, metadata=says("The journal entry made; null if nothing changed.")
    )
    balances = Table(values=Whole(), metadata=says("The chips of each player at the table."))


class JoinedSchema(ChangedTableSchema):
    """A seat taken."""

    seat = Whole(metadata=says("The new seat."))
