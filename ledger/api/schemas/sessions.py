"""Sessions: what starts one, and how one stands."""

from ledger.api.schemas.base import (
    Answer,
    Day,
    Moment,
    Part,
    Rows,
    Shape,
    Table,
    Text,
    Whole,
    answer,
)
from ledger.api.schemas.games import BidSchema
from ledger.api.schemas.hands import AfterLeavingSchema
from ledger.api.schemas.money import RateSchema
from ledger.database.models import SessionState
from ledger.services.session.view import SeatView

_STATES = [state.value for state in SessionState]


def _state() -> Text:
    return Text("Hands can be recorded only while it is `open`.", enum=_STATES)


def _unconverted() -> Table:
    return Table(
        "Chips that are worth money but not cashed in yet: what each player won or, if negative, "
        "lost. Empty without a rate. `POST /sessions/{session_id}/conversion` cashes them in.",
        values=Whole(),
    )


class RulesDraft(Shape):
    """A game and how it is played, from the next hand on."""

    game = Text("A game's slug, from `GET /games`.", required=True)
    variant = Text("A variant's slug; the game's first when left out.", optional=True)
    options = Table(
        "House rules that differ from the variant's, by slug.", load_default=dict, default={}
    )


class SessionDraft(RulesDraft):
    """What starts a session."""

    players = Rows(Text(), "Names, clockwise. New ones are added to the club.", required=True)
    title = Text("If left out, the evening is numbered, such as `Evening 12`.", load_default="")
    started_on = Day("The day of the evening, from 1900 on; if left out, today.", optional=True)
    first_dealer = Text("One of the players; if left out, the first of them.", optional=True)
    starting_stack = Whole("Chips that the bank gives each player.", load_default=0, default=0)
    rate = Part(RateSchema, "What chips are worth; null to play for chips only.", optional=True)


class TitleDraft(Shape):
    """What a session is called."""

    title = Text("Up to 64 characters.", required=True)


class SessionLineSchema(Answer):
    """A session in the club's list."""

    id = Whole()
    title = Text()
    started_on = Day()
    game = Text()
    variant = Text(allow_none=True)
    state = _state()
    hands_dealt = Whole()


SeatSchema = answer(
    "Seat", SeatView, "net", without={"account_id", "player_id", "converted", "successor_id"}
)


class ProposalSchema(Answer):
    """Who deals and leads next, unless the table says otherwise."""

    dealer = Text()
    lead = Text()
    active = Rows(Text(), "Who plays the next hand, clockwise from the lead.")
    idle = Rows(Text(), "Who sits out the next hand.")
    under = Text("The player under, in a blind round; else null.", allow_none=True)
    blind_round = Table(
        "The blind round it is part of, as its record will say; null if none.", allow_none=True
    )


class RulesSchema(Answer):
    """The rules of the next hand: what a form needs to offer only what is possible."""

    game = Text()
    title = Text()
    variant = Text(allow_none=True)
    options = Table("Every house rule's value, by slug.")
    house_rules = Rows(Text(), "A sentence for each house rule that differs from the variant.")
    bids = Rows(Part(BidSchema), "From low to high.")
    deck = Rows(Text(), "The cards in play, such as `TD`.")


class SessionSchema(SessionLineSchema):
    """A session as it stands."""

    revision = Whole("Increases by one with every write; also the `ETag`.")
    created_at = Moment()
    closed_at = Moment(allow_none=True)
    starting_stack = Whole("What the bank gives a player in chips.")
    rate = Part(RateSchema, "What chips are worth, if anything.", allow_none=True)
    seats = Rows(Part(SeatSchema), "Clockwise; those who have left come last.")
    unconverted = _unconverted()
    after_leaving = Rows(
        Part(AfterLeavingSchema),
        "What hands that were changed since came to for players who have left.",
    )
    next = Part(
        ProposalSchema, "Null while the game can't be played by this many.", allow_none=True
    )
    rules = Part(RulesSchema, "Null while the game can't be played by this many.", allow_none=True)


class WrittenSessionSchema(Answer):
    """Which session was written, and its revision after it."""

    id = Whole()
    revision = Whole()


class StartedAgainSchema(WrittenSessionSchema):
    """A session that was started like another one, and who is not at its table."""

    left_out = Rows(Text(), "Who sat there and is archived now.")


class ClosedSessionSchema(WrittenSessionSchema):
    """A session that was closed, and the chips that stayed chips."""

    unconverted = _unconverted()
