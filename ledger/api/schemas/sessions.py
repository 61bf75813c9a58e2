"""Schemas of sessions."""

from engine.words.sentences import say
from ledger.api.schemas.base import (
    Day,
    Flag,
    Moment,
    OneOf,
    Part,
    ResponseShape,
    Rows,
    Shape,
    Table,
    Text,
    WholeNumber,
    shape_of,
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
        "Chips that are worth money but not cashed in yet, by player; a loss is "
        "negative. Empty without a rate. `POST /sessions/{session_id}/conversion` cashes them in.",
        values=WholeNumber(),
    )


class RulesDraft(Shape):
    """A game, its variant and house rules, from the next hand on."""

    game = Text("A game's slug, from `GET /games`.", required=True)
    variant = Text("A variant's slug; the game's first when left out.", optional=True)
    options = Table(
        "House rules that differ from the variant's, by slug.", load_default=dict, default={}
    )


class SessionDraftSchema(RulesDraft):
    """The settings of a new session."""

    players = Rows(Text(), "Names, clockwise. New ones are added to the club.", required=True)
    title = Text("If left out, the evening is numbered, such as `Evening 12`.", load_default="")
    started_on = Day("The day of the evening, from 1900 on; if left out, today.", optional=True)
    first_dealer = Text("One of the players; if left out, the first of them.", optional=True)
    starting_stack = WholeNumber(
        "Chips that the bank gives each player.", load_default=0, default=0
    )
    rate = Part(RateSchema, "What chips are worth; null to play for chips only.", optional=True)


_UNITS = ["chips", "money"]


class PaperEveningDraft(Shape):
    """The result of an evening that was scored on paper."""

    game = Text("A slug from `GET /games`, of a game that is played for chips.", required=True)
    variant = Text(
        "A variant's slug; if left out, the game's first, or in a correction with the same game the old one.",
        optional=True,
    )
    won = Table(
        "What each player won or, negative, lost, by name; it adds up to 0. New players are added to the "
        "club.",
        values=WholeNumber(),
        required=True,
    )
    unit = Text(
        "The unit of these amounts: `chips`, or `money` in minor units of the club's currency.",
        enum=_UNITS,
        validate=OneOf(_UNITS, error=say("Choose {names:or}.", names=_UNITS)),
        load_default="chips",
    )
    rate = Part(
        RateSchema,
        "What chips are worth; null for chips without value, or for money in which one chip is one "
        "minor unit.",
        optional=True,
    )
    title = Text(
        "If left out, the evening is numbered, or in a correction keeps its title.", load_default=""
    )
    started_on = Day(
        "The day of the evening, from 1900 on; if left out, today, or in a correction the old one.",
        optional=True,
    )


class TitleDraft(Shape):
    """A session's title."""

    title = Text("Up to 64 characters.", required=True)


class EndDraft(Shape):
    """The time at which a session ends."""

    at = Text(
        "The next such time by the ledger's clock, as `HH:MM`; empty to remove it.", required=True
    )


class SessionLineSchema(ResponseShape):
    """A session in the club's list."""

    id = WholeNumber()
    title = Text()
    started_on = Day()
    game = Text()
    variant = Text(allow_none=True)
    state = _state()
    hands_dealt = WholeNumber()
    on_paper = Flag("Whether it was scored on paper: it has a result, but no hands.")


SeatSchema = shape_of(
    "Seat",
    SeatView,
    *("net", "colour"),
    without={"account_id", "player_id", "converted", "successor_id", "own_colour"},
)


class ProposalSchema(ResponseShape):
    """The proposed dealer and lead of the next hand."""

    dealer = Text()
    lead = Text()
    active = Rows(Text(), "Who plays the next hand, clockwise from the lead.")
    idle = Rows(Text(), "Who sits out the next hand.")
    under = Text("The player under, in a blind round; else null.", allow_none=True)
    blind_round = Table(
        "The blind round it belongs to, in the form of a hand record; null if none.",
        allow_none=True,
    )


class RulesSchema(ResponseShape):
    """The rules of the next hand, for a form."""

    game = Text()
    title = Text()
    variant = Text(allow_none=True)
    options = Table("Every house rule's value, by slug.")
    house_rules = Rows(Text(), "A sentence for each house rule that differs from the variant.")
    bids = Rows(Part(BidSchema), "From low to high.")
    deck = Rows(Text(), "The cards in play, such as `TD`.")


class SessionSchema(SessionLineSchema):
    """A session's current state."""

    revision = WholeNumber("Increases by one with every write; also the `ETag`.")
    created_at = Moment()
    closed_at = Moment(allow_none=True)
    ends_at = Moment("The end that the table agreed on.", allow_none=True)
    starting_stack = WholeNumber("The chips that the bank gives each player.")
    rate = Part(RateSchema, "The value of chips, if there is one.", allow_none=True)
    seats = Rows(Part(SeatSchema), "Clockwise; those who have left come last.")
    unconverted = _unconverted()
    after_leaving = Rows(
        Part(AfterLeavingSchema),
        "The results, for players who have left, of hands changed since.",
    )
    next = Part(
        ProposalSchema, "Null while the game can't be played by this many.", allow_none=True
    )
    rules = Part(RulesSchema, "Null while the game can't be played by this many.", allow_none=True)


class WrittenSessionSchema(ResponseShape):
    """A written session and its new revision."""

    id = WholeNumber()
    revision = WholeNumber()


class StartedAgainSchema(WrittenSessionSchema):
    """A session started like another one, and the players left out."""

    left_out = Rows(Text(), "Players of the other session who are archived.")


class ClosedSessionSchema(WrittenSessionSchema):
    """A closed session and the chips not cashed in."""

    unconverted = _unconverted()
