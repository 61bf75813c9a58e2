"""Sessions: what starts one, and how one stands."""

from ledger.api.schemas.base import Answer, Day, Moment, Part, Rows, Shape, Table, Text, Whole, says
from ledger.api.schemas.games import BidSchema
from ledger.api.schemas.money import RateSchema
from ledger.models import SeatState, SessionState

_STATES = [state.value for state in SessionState]
_SEAT_STATES = [state.value for state in SeatState]


def _state() -> Text:
    return Text(metadata=says("Hands are written in an open one only.", enum=_STATES))


def _unconverted() -> Table:
    return Table(
        values=Whole(),
        metadata=says(
            "Chips that are worth money and no money yet: what each player won of them or, negative, lost. "
            "Empty without a rate. `POST /sessions/{session_id}/conversion` turns them into money."
        ),
    )


class RulesDraft(Shape):
    """A game and how it is played, from the next hand on."""

    game = Text(required=True, metadata=says("A game's slug, from `GET /games`."))
    variant = Text(
        load_default=None,
        allow_none=True,
        metadata=says("A variant's slug; the game's first when left out."),
    )
    options = Table(
        load_default=dict,
        metadata=says("House rules that differ from the variant's, by slug.", default={}),
    )


class SessionDraft(RulesDraft):
    """What starts a session."""

    players = Rows(
        Text(),
        required=True,
        metadata=says("Names, clockwise. New ones are entered into the club."),
    )
    title = Text(
        load_default="",
        metadata=says("When left out, the evening is numbered, such as `Evening 12`."),
    )
    started_on = Day(
        load_default=None,
        allow_none=True,
        metadata=says("The day of the evening, from 1900 on; today when left out."),
    )
    first_dealer = Text(
        load_default=None,
        allow_none=True,
        metadata=says("One of the players; the first of them when left out."),
    )
    starting_stack = Whole(
        load_default=0, metadata=says("Chips that the bank gives each player.", default=0)
    )
    rate = Part(
        RateSchema,
        load_default=None,
        allow_none=True,
        metadata=says("What chips are worth; null: for chips only."),
    )


class SessionLineSchema(Answer):
    """A session in the club's list."""

    id = Whole()
    title = Text()
    started_on = Day()
    game = Text()
    variant = Text(allow_none=True)
    state = _state()
    hands_dealt = Whole()


class SeatSchema(Answer):
    """A player's place."""

    id = Whole()
    name = Text()
    position = Whole(metadata=says("Clockwise from 0; of somebody who has left, the last one."))
    state = Text(
        metadata=says("Who plays is dealt in; who has left has cashed out.", enum=_SEAT_STATES)
    )
    balance = Whole(metadata=says("Chips in hand."))
    advanced = Whole(metadata=says("What the bank gave, the starting stack included."))
    net = Whole(metadata=says("Chips won or, negative, lost so far."))
    hands_bid = Whole(metadata=says("How many hands they were the bidder of."))
    hands_won = Whole(metadata=says("How many of these they won."))


class ProposalSchema(Answer):
    """Who deals and leads next, unless the table says otherwise."""

    dealer = Text()
    lead = Text()
    active = Rows(Text(), metadata=says("Who plays the next hand, clockwise from the lead."))
    idle = Rows(Text(), metadata=says("Who sits it out."))
    under = Text(allow_none=True, metadata=says("In a blind round whoever is under; else null."))
    blind_round = Table(
        allow_none=True,
        metadata=says("The blind round that it is part of, as its record will say; null: of none."),
    )


class RulesSchema(Answer):
    """The rules of the next hand: what a form needs to offer only what is possible."""

    game = Text()
    title = Text()
    variant = Text(allow_none=True)
    options = Table(metadata=says("Every house rule's value, by slug."))
    house_rules = Rows(
        Text(), metadata=says("A sentence for each in which this table differs from the variant.")
    )
    bids = Rows(Part(BidSchema), metadata=says("From low to high."))
    deck = Rows(Text(), metadata=says("The cards in play, such as `TD`."))


class SessionSchema(SessionLineSchema):
    """A session as it stands."""

    revision = Whole(metadata=says("One more with every write; the `ETag`, too."))
    created_at = Moment()
    closed_at = Moment(allow_none=True)
    starting_stack = Whole(metadata=says("What the bank gives a player in chips."))
    rate = Part(RateSchema, allow_none=True, metadata=says("What chips are worth, if anything."))
    seats = Rows(Part(SeatSchema), metadata=says("Clockwise; those who have left come last."))
    unconverted = _unconverted()
    next = Part(
        ProposalSchema,
        allow_none=True,
        metadata=says("Null while the game can't be played by so many."),
    )
    rules = Part(
        RulesSchema,
        allow_none=True,
        metadata=says("Null while the game can't be played by so many."),
    )


class WrittenSessionSchema(Answer):
    """Which session was written, and its revision after it."""

    id = Whole()
    revision = Whole()


class ClosedSessionSchema(WrittenSessionSchema):
    """A session that was closed, and the chips that stayed chips."""

    unconverted = _unconverted()
