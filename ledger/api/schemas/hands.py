"""Hands: a record as it is sent (the engine reads it), and what scoring and writing it answer."""

from typing import Any, ClassVar

from marshmallow import INCLUDE, Schema, fields
from marshmallow.validate import Range

from engine.results import RESULT, Key
from ledger.api.schemas.base import (
    Answer,
    Flag,
    Moment,
    Part,
    Rows,
    Shape,
    Table,
    Text,
    Whole,
    says,
)
from ledger.models import AccountKind, HandAction

_CARDS = "Cards such as `TD`: as one text with spaces, or as a list."
_SUIT = "`S` `H` `D` `C`, the sign or the word."
OUTCOMES = ("won", "lost", "tied", "passed-out")


def _key(kind: str, description: str, **more: Any) -> fields.Raw:
    return fields.Raw(allow_none=True, metadata=says(description, type=kind, **more))


def _stated(key: Key) -> dict[str, Any]:
    words = f" One of {', '.join(f'`{word}`' for word in key.words)}." if key.words else ""
    return says(key.help + words, type=key.kind.value)


_SEATS = {"type": "array", "items": {"type": "string"}}
_CONTRACT = {
    "bidder": {"type": "string", "description": "A seat."},
    "bid": {"type": "string", "description": "A bid's slug; `pass` where all passed."},
    "trump": {"type": "string", "description": _SUIT},
    "called": {"type": "string", "description": "The called card, such as `TD`."},
    "partner": {"type": "string", "description": "A seat."},
    "alone": {"type": "boolean", "description": "The caller called a card of their own."},
    "doubled": {**_SEATS, "description": "The opponents who doubled."},
    "redoubled": {**_SEATS, "description": "Those of them who were redoubled."},
    **{name: _stated(key) for name, key in RESULT.items() if key.in_contract},
}


class HandDraft(Schema):
    """A hand record. In a session what the session knows may be left out, but not contradicted.

    It goes to the engine as it is: the engine reads it and says what is wrong with it, key by key.
    """

    class Meta:
        """Lets every key through to the engine; those of a result are the engine's own."""

        unknown = INCLUDE
        include: ClassVar = {
            name: fields.Raw(allow_none=True, metadata=_stated(key))
            for name, key in RESULT.items()
            if not key.in_contract
        }

    format = _key("integer", "The version of the record's format: 1.")
    game = _key("string", "The game's slug; the session's, when left out.")
    rules = _key("string", "The variant's slug; the session's, else the game's first.")
    options = _key("object", "House rules that differ from the variant's.")
    players = _key("array", "Seat names, clockwise.", items={"type": "string"})
    dealer = _key("string", "A seat; in a session whoever is due, when left out.")
    active = _key("array", "The active trio where more sit.", items={"type": "string"})
    blind_round = _key(
        "object",
        "The blind round that the hand is part of: `done` and `heartless`, or `{}` as it begins; "
        "`false` where none is played. In a session as it stands, when left out.",
    )
    contract = _key("object", "What was played, by whom.", properties=_CONTRACT)
    played_at = _key("string", "RFC 3339 time with its offset, from 1900 to now.")
    note = _key("string", "Free text; in a session, up to 2,000 characters.")


class SessionHand(HandDraft):
    """A hand record as it is sent in a session, where the table may say who leads, too."""

    lead = _key(
        "string",
        "Who leads, where it is not who is due. A record names the dealer only, so this says who "
        "deals: the seat on the lead's right. Any seat that plays can be made the lead like that.",
    )


class Correction(Shape):
    """A hand written anew, and why."""

    hand = Part(
        SessionHand,
        required=True,
        metadata=says("The whole hand as it should be; dealer and rules stay when left out."),
    )
    reason = Text(required=True, metadata=says("Why; shown in the history. Up to 500 characters."))


class PreviewQuery(Schema):
    """Which hand is to be corrected."""

    number = fields.Integer(
        load_default=None,
        validate=Range(1, 2**63 - 1, error="A hand's number counts from 1."),
        error_messages={"invalid": "A hand's number belongs here."},
        metadata=says("Preview the correction of this hand; without it, a new hand."),
    )


class TransferSchema(Answer):
    """One payment between two seats."""

    from_ = Text(attribute="from", data_key="from")
    to = Text()
    amount = Whole(metadata=says("Above zero."))


class NextSchema(Answer):
    """Who deals and leads next, unless the table says otherwise."""

    dealer = Text()
    lead = Text()


class VerdictSchema(Answer):
    """A scored hand."""

    ok = Flag(metadata=says("Always true."))
    outcome = Text(metadata=says("How it ended for the bidding side.", enum=list(OUTCOMES)))
    bidder = Text(allow_none=True)
    partner = Text(allow_none=True)
    points = Whole(allow_none=True)
    amount = Whole(metadata=says("What one opponent pays or is paid."))
    deltas = Table(values=Whole(), metadata=says("What each seat gets; every seat is in it."))
    transfers = Rows(Part(TransferSchema))
    pots = Table(values=Whole(), metadata={"may_miss": True, **says("The pots after the hand.")})
    next = Part(NextSchema)
    explanation = Rows(Text(), metadata=says("The reasoning, a sentence a step."))


class MoveSchema(Answer):
    """A balance that would move."""

    kind = Text(metadata=says("The account's kind.", enum=[kind.value for kind in AccountKind]))
    name = Text(metadata=says("A player's name or a pot's, or the kind again."))
    amount = Whole(metadata=says("By how much."))
    balance = Whole(metadata=says("What it would be."))
    unit = Text(metadata=says("`chips`, or the currency of an account in minor units of money."))


class MovedSchema(Answer):
    """Every balance that something would move."""

    moves = Rows(Part(MoveSchema))


class FollowedSchema(Answer):
    """A later hand that would be paid anew, for the pots it was played for would change."""

    number = Whole()
    pots = Table(values=Whole(), metadata=says("What they would hold before it."))
    deltas = Table(values=Whole(), metadata=says("What each player would get more, or less."))


class PreviewSchema(Answer):
    """What saving would do. Nothing is saved."""

    record = Table(
        allow_none=True,
        metadata=says("The whole record, as it would be kept; null for a hand that would be void."),
    )
    verdict = Part(
        VerdictSchema, allow_none=True, metadata=says("Null for a hand that would be void.")
    )
    balances = Table(values=Whole(), metadata=says("What each seat would hold afterwards."))
    revision = Whole(metadata=says("The session's revision that was looked at."))
    moves = Rows(Part(MoveSchema), metadata=says("Every balance that would move."))
    followed = Rows(Part(FollowedSchema), metadata=says("The later hands that would be paid anew."))


class WrittenHandSchema(Answer):
    """What was written of a hand, and every balance after it."""

    session = Whole()
    hand = Whole(metadata=says("The hand's number in the session."))
    version = Whole(metadata=says("1 as first recorded; one more with each correction or voiding."))
    state = Text(metadata=says("`standing` or `void`."))
    revision = Whole(metadata=says("The session's revision after it."))
    verdict = Part(VerdictSchema, allow_none=True, metadata=says("Null for a voided hand."))
    balances = Table(values=Whole(), metadata=says("What each seat holds after it."))
    at = Text(metadata=says("When it was written.", format="date-time"))


class ChangedHandSchema(WrittenHandSchema):
    """What was written of a hand that was changed, and which later hands followed."""

    followed = Rows(
        Whole(), metadata=says("The numbers of later hands that were paid anew for other pots.")
    )


class VersionSchema(Answer):
    """One version of a hand: what was written down of it, and what the engine answered."""

    version = Whole()
    action = Text(metadata=says("What made it.", enum=[action.value for action in HandAction]))
    record = Table(metadata=says("The hand record; that of a voiding repeats the one it voids."))
    verdict = Part(VerdictSchema)
    reason = Text(allow_none=True)
    author = Text()
    engine_version = Text()
    entry = Whole(allow_none=True, metadata=says("The journal entry that paid it."))
    played_at = Moment()
    entered_at = Moment()


class HandSchema(Answer):
    """A hand as it holds now, with everything that was ever written of it."""

    number = Whole()
    state = Text(metadata=says("`standing` or `void`; a void hand counts in no balance."))
    version = Whole(metadata=says("The version that holds now."))
    record = Table(metadata=says("The record that holds now."))
    verdict = Part(VerdictSchema)
    versions = Rows(
        Part(VersionSchema), metadata=says("Oldest first, the one that holds now last.")
    )


class EarlierSchema(Answer):
    """A version that was replaced."""

    version = Whole()
    action = Text()
    summary = Text()
    deltas = Rows(Whole(), metadata=says("One figure a player."))
    reason = Text(allow_none=True)
    author = Text()
    entered_at = Moment()


class HandLineSchema(Answer):
    """A hand in the history, with the balances after it."""

    number = Whole()
    state = Text(metadata=says("`standing` or `void`."))
    version = Whole()
    reason = Text(allow_none=True, metadata=says("Why it was last corrected or voided."))
    game_title = Text()
    bid_title = Text()
    bidder = Text(allow_none=True)
    partner = Text(allow_none=True)
    alone = Flag()
    trump = Text(allow_none=True)
    called = Text(allow_none=True)
    points = Whole(allow_none=True)
    outcome = Text(metadata={"enum": list(OUTCOMES)})
    amount = Whole()
    deltas = Rows(
        Whole(), metadata=says("One figure a player, in the order of the session's seats.")
    )
    balances = Rows(Whole(), metadata=says("What each player had won after this hand."))
    explanation = Rows(Text())
    dealer = Text()
    played_at = Moment()
    entered_by = Text()
    action = Text(
        metadata=says(
            "What made it as it is: `recorded`, `corrected`, `voided`, `restored`, or `followed` the change "
            "of an earlier hand, because it was played for the same pots."
        )
    )
    follows = Whole(allow_none=True, metadata=says("The hand whose change it followed."))
    previous = Rows(
        Part(EarlierSchema),
        metadata=says(
            "Versions it replaced, oldest first, without those by which it followed another hand and paid "
            "everybody the same."
        ),
    )
    note = Text(allow_none=True, metadata=says("What was jotted down beside it."))
