"""Shapes of hands: records in requests, which the engine reads, and the responses to scoring and writing."""

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import INCLUDE, Schema, missing

from engine.notation.json_schema import record_properties
from ledger.api.schemas.base import (
    Anything,
    Flag,
    Moment,
    Part,
    ResponseShape,
    Rows,
    Shape,
    Table,
    Text,
    WholeNumber,
    shape_of,
)
from ledger.api.schemas.evening import Why
from ledger.database.models import HandAction
from ledger.services.hands.preview import AfterLeaving, CashedInAgain, Move, Recalculated
from ledger.services.reads.summary import EarlierVersion, HandLine

RECORD = {"anyOf": [{"$ref": "#/components/schemas/HandDraft"}, {"type": "null"}]}
"""The schema of a stored record; its nullable fields allow null, too."""

OUTCOMES = ("won", "lost", "tied", "passed-out")


def _key(kind: str, description: str, **more: Any) -> Anything:
    return Anything(description, type=kind, allow_none=True, **more)


_IN_A_SESSION = {
    "game": "The game's slug; if left out, the session's.",
    "rules": "The variant's slug; if left out, the session's, else the game's first.",
    "dealer": "A seat; if left out in a session, whoever is due to deal.",
    "blind_round": "The blind round of the hand, `{}` at its start; `false` if none is played. If left out "
    "in a session, the current one.",
    "pots": "What the pots hold before the antes; if left out in a session, what they hold there.",
    "played_at": "RFC 3339 time with its offset, from 1900 to now.",
    "note": "Free text; in a session, up to 2,000 characters.",
    "stated": "The result as announced, which must be the verdict's; a session checks it without keeping it.",
    "evening": "The evening to which the hand belongs; not in a session, which is the evening.",
}
"""The descriptions of keys that mean more in a session."""


def _described(key: str, schema: Mapping[str, Any]) -> Anything:
    """Return the field of a record's key; an enumeration of numbers and texts is left out for clients."""
    rest = {name: value for name, value in schema.items() if (key, name) != ("format", "enum")}
    description = _IN_A_SESSION.get(key, schema["description"])
    return Anything(description, metadata=rest, allow_none=True)


class HandDraftSchema(Schema):
    """A hand record. In a session, keys that the session determines may be left out, but not contradicted.

    The engine reads it unchanged and returns the errors, key by key.
    """

    class Meta:
        """Passes every key on to the engine, and documents the keys by the engine's schema."""

        unknown = INCLUDE
        include: ClassVar = {
            key: _described(key, rest) for key, rest in record_properties().items()
        }

    def load(self, data: Any, **settings: Any) -> Any:
        """Return a copy of an object, unchecked. Raises ``ValidationError`` for anything else."""
        return dict(data) if isinstance(data, Mapping) else super().load(data, **settings)


class SessionHand(HandDraftSchema):
    """A hand record in a session, where the lead may be named, too."""

    lead = _key(
        "string",
        "Who leads, if not the player due to. A record names only the dealer, so this decides who "
        "deals: the seat on the lead's right. Any active seat can be given the lead this way.",
    )


class NewHand(SessionHand):
    """The next hand, and whether the bank lends missing chips."""

    lend = _key(
        "boolean",
        "Whether the bank lends, in the same write, what a player lacks to pay the hand. Only where "
        "everybody starts with chips; a table that starts with none counts from zero.",
    )


class CorrectionSchema(Shape):
    """A corrected hand, and the reason."""

    hand = Part(
        SessionHand,
        "The whole hand as it should be; dealer and rules, if left out, stay as they are.",
        required=True,
    )
    reason = Why()


class TransferSchema(ResponseShape):
    """One payment between two seats."""

    from_ = Text(attribute="from", data_key="from")
    to = Text()
    amount = WholeNumber("Above zero.")


class NextSchema(ResponseShape):
    """The proposed dealer and lead of the next hand."""

    dealer = Text()
    lead = Text()


class VerdictSchema(ResponseShape):
    """A scored hand."""

    ok = Flag("Always true.")
    outcome = Text("How it ended for the bidding side.", enum=list(OUTCOMES))
    bidder = Text(allow_none=True)
    partner = Text(allow_none=True)
    points = WholeNumber(allow_none=True)
    amount = WholeNumber("What one opponent pays or is paid.")
    deltas = Table("What each seat gets; every seat is listed.", values=WholeNumber())
    transfers = Rows(Part(TransferSchema))
    pots = Table("The pots after the hand.", values=WholeNumber(), may_miss=True)
    next = Part(NextSchema)
    explanation = Rows(Text(), "The reasoning, one sentence per step.")


MoveSchema = shape_of("Move", Move)
RecalculatedSchema = shape_of("Recalculated", Recalculated)
AfterLeavingSchema = shape_of("AfterLeaving", AfterLeaving)
CashedInAgainSchema = shape_of("CashedInAgain", CashedInAgain)


class MovedSchema(ResponseShape):
    """The changes that a write makes or, as a dry run, would make.

    They are balances, recalculated hands, and sums for players who have left.
    """

    revision = WholeNumber("The session's revision after it; of a dry run, the one it looked at.")
    balances = Table("The chips of each player after it.", values=WholeNumber())
    moves = Rows(Part(MoveSchema), "Every balance that moves.")
    hands_recalculated = WholeNumber("How many later hands are recalculated.")
    recalculated = Rows(Part(RecalculatedSchema), "The later hands that are recalculated.")
    after_leaving = Rows(
        Part(AfterLeavingSchema),
        "What it comes to for players who have left: their chips go to the bank at once, and become "
        "money at the rate at which they left. Replays of answers from before 0.2.0 lack it.",
        may_miss=True,
    )
    cashed_in = Rows(
        Part(CashedInAgainSchema),
        "Each player's chips and money before and after it, in a closed session whose chips were cashed in: "
        "the difference is cashed in with it. Replays of answers from before 0.2.0 lack it.",
        may_miss=True,
    )


class WrittenHandSchema(MovedSchema):
    """A version of a hand as written, and the balances that it moves."""

    session = WholeNumber()
    hand = WholeNumber("The hand's number in the session.")
    version = WholeNumber("1 when first recorded; one more with each correction or voiding.")
    state = Text("`standing` or `void`.")
    record = Table(
        "The whole record as it is kept; null for a void hand.", allow_none=True, metadata=RECORD
    )
    verdict = Part(VerdictSchema, "Null for a void hand.", allow_none=True)
    at = Text(
        "When it was written; null for a dry run.",
        metadata={"format": "date-time"},
        allow_none=True,
    )


class RecordedHandSchema(WrittenHandSchema):
    """A hand as recorded, and the players who lack chips to pay it."""

    short = Table("The chips that each player lacks to pay it.", values=WholeNumber())
    lent = Table("Those of them that the bank lends with it.", values=WholeNumber())


class VersionSchema(ResponseShape):
    """One version of a hand: its record and its verdict."""

    version = WholeNumber()
    action = Text("What made this version.", enum=[action.value for action in HandAction])
    record = Table("The hand record; a voiding repeats the record it voids.", metadata=RECORD)
    verdict = Part(VerdictSchema, attribute="localized_verdict")
    reason = Text(allow_none=True)
    cause = Table(
        "Why it was made: `undo` or `redo` with the entry that this takes back, `hand` with the hand that it "
        "followed, `entry` with the undone one; empty if somebody changed the hand.",
        allow_none=True,
    )
    author = Text()
    engine_version = Text()
    entry = WholeNumber("The journal entry that paid it.", allow_none=True, attribute="entry_id")
    played_at = Moment()
    entered_at = Moment()


class ConfirmationDraft(Shape):
    """The version of a hand to confirm."""

    version = WholeNumber("The version that was looked at.", required=True)


class ConfirmedHandSchema(ResponseShape):
    """A confirmed hand. A confirmation leaves the session's revision unchanged."""

    session = WholeNumber()
    hand = WholeNumber("The hand's number in the session.")
    version = WholeNumber("The confirmed version.")
    revision = WholeNumber("The session's revision.")
    at = Text("When it was confirmed.", metadata={"format": "date-time"})


_UNCONFIRMED = (
    "Whether another device has not confirmed it yet, as the club required when it was entered."
)


class HandSchema(ResponseShape):
    """A hand: whether it stands, its current content, and its versions."""

    number = WholeNumber()
    state = Text("`standing` or `void`; a void hand counts in no balance.")
    version = WholeNumber("The current version.")
    unconfirmed = Flag(_UNCONFIRMED)
    record = Table("The current record.", metadata=RECORD)
    verdict = Part(VerdictSchema)
    versions = Rows(Part(VersionSchema), "Oldest first, the current one last.")


class _Requested(Table):
    """An object that is left out of a response that has none."""

    def serialize(self, attr: str, obj: Any, *args: Any, **more: Any) -> Any:
        """Return the serialized value, or ``missing`` for None."""
        value = super().serialize(attr, obj, *args, **more)
        return missing if value is None else value


shape_of("Earlier", EarlierVersion)
HandLineSchema = shape_of(
    "HandLine",
    HandLine,
    "points",
    "unconfirmed",
    without={"counts", "variant_title", "has_tricks", "unconfirmed_from"},
    outcome=Text(enum=list(OUTCOMES)),
    record=_Requested("Its record, if requested by `include`.", metadata=RECORD, may_miss=True),
)
