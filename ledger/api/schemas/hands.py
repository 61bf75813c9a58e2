"""Shapes of hands: records in requests, which the engine reads, and the responses to scoring and writing."""

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import INCLUDE, Schema, fields

from engine.record.incidents import MOST_IRREGULAR, MOST_TRANSFERS, SETTLED, WHAT
from engine.record.parts import HEARTLESS, Pots
from engine.record.results import RESULT, ResultKey
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
from ledger.services.hands.preview import AfterLeaving, Move, Recalculated
from ledger.services.reads.summary import EarlierVersion, HandLine

_CARDS = "Cards such as `TD`: as one string with spaces, or as a list."
_SUIT = "`S` `H` `D` `C`, the sign or the word."
OUTCOMES = ("won", "lost", "tied", "passed-out")


def _key(kind: str, description: str, **more: Any) -> Anything:
    return Anything(description, type=kind, allow_none=True, **more)


def _stated(key: ResultKey) -> dict[str, Any]:
    words = f" One of {', '.join(f'`{word}`' for word in key.words)}." if key.words else ""
    return {"description": key.help + words, "type": key.kind.value}


_TEXT = {"type": "string"}
_SEAT = {**_TEXT, "description": "A seat."}
_SEATS = {"type": "array", "items": _TEXT}
_SOME_CARDS = {"type": ["string", "array"], "items": _TEXT}


def _cards(description: str) -> dict[str, Any]:
    return {**_SOME_CARDS, "description": f"{description} {_CARDS}"}


def _number(description: str, least: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "description": description}


def _rows(description: str, least: int, most: int) -> dict[str, Any]:
    row = {**_SEATS, "minItems": least, "maxItems": most}
    return {"type": "array", "items": row, "description": description}


_DEAL = {
    "hands": {
        "type": "object",
        "additionalProperties": _SOME_CARDS,
        "description": f"The cards dealt to each seat; `?` is a card nobody noted. {_CARDS}",
    },
    "widow": _cards("The cards of the widow; `?` is a card nobody noted."),
}
_SPIT = {
    "order": _rows('`[seat or "spit", card]`, card by card as dealt.', 2, 2),
    "drawn": _rows("`[seat, card shown, card drawn]`, in order.", 3, 3),
}
_BLIND_ROUND = {
    "done": {**_SEATS, "description": "The seats that have been under or were passed over."},
    "heartless": {
        "type": "integer",
        "minimum": 0,
        "maximum": HEARTLESS - 1,
        "description": "How many deals in a row the player under has had without a heart.",
    },
}
_EXCHANGE = {
    "took": _cards("Frog: the cards that the bidder took from the widow."),
    "discarded": _cards("Frog: the cards that the bidder laid aside."),
    "from": {**_TEXT, "description": "Call solo: who had the called card, a seat or `widow`."},
    "returned": {**_TEXT, "description": "Call solo: the card that was given for it."},
}
_TRICK = {
    "type": ["object", "string", "array"],
    "items": _TEXT,
    "required": ["cards"],
    "properties": {
        "leader": _SEAT,
        "cards": _cards("The cards of the trick, in the order played; `?` is one nobody noted."),
    },
    "description": f"A table, or only the cards of the trick. {_CARDS}",
}
_POTS = {name: {"type": "integer", "description": f"The {name} pot."} for name in Pots._fields}
_CLAIM = {
    "by": {**_TEXT, "description": "Who claimed: a seat, or a side: `bidder` or `opponents`."},
    "after": _number("How many complete tricks were played.", 0),
    "tricks": _number("How many of the remaining tricks the claimer's side gets.", 0),
    "points": _number("How many of the remaining card points it gets; without both, all.", 0),
    "shown": _cards("The cards that the claimer showed."),
}
_CARD = {**_TEXT, "description": "A card such as `TD`."}
_TRANSFER = {
    "type": "object",
    "required": ["from", "to", "amount"],
    "properties": {"from": _SEAT, "to": _SEAT, "amount": _number("The chips or points.", 1)},
}
_IRREGULARITY = {
    "type": "object",
    "required": ["what", "settled"],
    "properties": {
        "what": {"enum": [*WHAT], "description": "What happened."},
        "seat": {**_TEXT, "description": "Who did it."},
        "trick": _number("In which trick.", 1),
        "card": _CARD,
        "settled": {"enum": [*SETTLED], "description": "How the table settled it."},
        "transfers": {
            "type": "array",
            "items": _TRANSFER,
            "maxItems": MOST_TRANSFERS,
            "description": "The agreed payments.",
        },
    },
}
_CONTRACT = {
    "bidder": _SEAT,
    "bid": {"type": "string", "description": "A bid's slug; `pass` if all passed."},
    "trump": {"type": "string", "description": _SUIT},
    "called": {"type": "string", "description": "The called card, such as `TD`."},
    "partner": _SEAT,
    "alone": {"type": "boolean", "description": "The caller called a card of their own."},
    "doubled": {**_SEATS, "description": "The opponents who doubled."},
    "redoubled": {**_SEATS, "description": "Those of them who were redoubled."},
    **{name: _stated(key) for name, key in RESULT.items() if key.in_contract},
}


class HandDraftSchema(Schema):
    """A hand record. In a session, keys that the session determines may be left out, but not contradicted.

    The engine reads it unchanged and returns the errors, key by key.
    """

    class Meta:
        """Passes every key on to the engine, and documents the keys of a result from the engine's table."""

        unknown = INCLUDE
        include: ClassVar = {
            name: fields.Raw(allow_none=True, metadata=_stated(key))
            for name, key in RESULT.items()
            if not key.in_contract
        }

    format = Anything(
        "The version of the record's format, 1 or 1.1, as a number or as text.",
        type=["number", "string"],
        allow_none=True,
    )
    game = _key("string", "The game's slug; if left out, the session's.")
    rules = _key("string", "The variant's slug; if left out, the session's, else the game's first.")
    options = _key("object", "House rules that differ from the variant's.")
    players = _key("array", "Seat names, clockwise.", items={"type": "string"})
    dealer = _key("string", "A seat; if left out in a session, whoever is due to deal.")
    active = _key("array", "The three who play, where more are seated.", items={"type": "string"})
    deal = _key("object", "The hands as dealt, and the widow.", properties=_DEAL)
    spit = _key("object", "Crazy Solo's first deal.", properties=_SPIT)
    blind_round = Anything(
        "The blind round that the hand is part of, `{}` at its start; `false` if none is played. If "
        "left out in a session, the current one.",
        type=["object", "boolean"],
        properties=_BLIND_ROUND,
        allow_none=True,
    )
    auction = _key(
        "array",
        "`[seat, call]` in order; of a `redouble` also the doubler: `[seat, call, doubler]`.",
        items={**_SEATS, "minItems": 2, "maxItems": 3},
    )
    contract = _key("object", "What was played, by whom.", properties=_CONTRACT)
    exchange = _key("object", "The cards that changed hands.", properties=_EXCHANGE)
    tricks = _key("array", "The tricks in the order played.", items=_TRICK)
    claimed = _key(
        "object",
        "The rest of the hand was claimed, and the claim accepted.",
        properties=_CLAIM,
        metadata={"required": ["by", "after"]},
    )
    spread = _key(
        "object",
        "The card after which the bidder's hand was laid open.",
        properties={"after": _CARD},
        metadata={"required": ["after"]},
    )
    irregular = _key(
        "array",
        "Irregularities, such as a revoke, and how the table settled them.",
        items=_IRREGULARITY,
        metadata={"maxItems": MOST_IRREGULAR},
    )
    pots = _key(
        "object",
        "What the pots hold before the antes; if left out in a session, what they hold there.",
        properties=_POTS,
        metadata={"required": [*_POTS]},
    )
    played_at = _key("string", "RFC 3339 time with its offset, from 1900 to now.")
    note = _key("string", "Free text; in a session, up to 2,000 characters.")

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


class MovedSchema(ResponseShape):
    """The balances that a write moves or, as a dry run, would move."""

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


class WrittenHandSchema(MovedSchema):
    """A version of a hand as written, and the balances that it moves."""

    session = WholeNumber()
    hand = WholeNumber("The hand's number in the session.")
    version = WholeNumber("1 when first recorded; one more with each correction or voiding.")
    state = Text("`standing` or `void`.")
    record = Table("The whole record as it is kept; null for a void hand.", allow_none=True)
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
    record = Table("The hand record; a voiding repeats the record it voids.")
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


class HandSchema(ResponseShape):
    """A hand: whether it stands, its current content, and its versions."""

    number = WholeNumber()
    state = Text("`standing` or `void`; a void hand counts in no balance.")
    version = WholeNumber("The current version.")
    record = Table("The current record.")
    verdict = Part(VerdictSchema)
    versions = Rows(Part(VersionSchema), "Oldest first, the current one last.")


shape_of("Earlier", EarlierVersion)
HandLineSchema = shape_of(
    "HandLine",
    HandLine,
    "points",
    without={"counts", "variant_title"},
    outcome=Text(enum=list(OUTCOMES)),
)
