"""Schemas of statistics of players and pairs."""

from ledger.api.schemas.base import (
    Average,
    Moment,
    Part,
    ResponseShape,
    Rows,
    Text,
    WholeNumber,
    shape_of,
)
from ledger.api.schemas.books import StandingSchema
from ledger.services.reads.club_statistics import BidCount, ClubStats, GameCount, Standing
from ledger.services.reads.head_to_head import Pair
from ledger.services.reads.highlights import Feat, Highlights
from ledger.services.reads.ratings import GameRatings
from ledger.services.reads.records import ClubRecord
from ledger.services.reads.sessions import Evening, OwnEvening, Sitting
from ledger.services.reads.statistics import Extreme, PlayerStats, Record

shape_of("Record", Record, average=Average("Chips per hand, to two places, such as `-12.50`."))
shape_of("Extreme", Extreme, session="session_id", title="session_title")
OwnEveningSchema = shape_of("OwnEvening", OwnEvening, session="session_id")
shape_of("Sitting", Sitting, without={"unpaid"})
EveningSchema = shape_of(
    "Evening",
    Evening,
    "game_title",
    "winners",
    without={"for_money"},
    session="session_id",
    hands_dealt="hands",
)
PairSchema = shape_of("Pair", Pair, "net")


shape_of("ClubStanding", Standing, "average", "share")
shape_of("BidCount", BidCount, "share")
shape_of("GameCount", GameCount, "share")
ClubStatsSchema = shape_of("ClubStats", ClubStats)
ClubRecordSchema = shape_of("ClubRecord", ClubRecord, session="session_id", title="session_title")
GameRatingsSchema = shape_of("GameRatings", GameRatings)
shape_of("Feat", Feat)
HighlightsSchema = shape_of(
    "Highlights",
    Highlights,
    podium=Rows(
        Part(StandingSchema),
        "The first three ranks, without one that would make them more than four players.",
    ),
)


class MoneyMoveSchema(ResponseShape):
    """A change of a player's money."""

    occurred_at = Moment()
    kind = Text("The kind of the journal entry.")
    session = WholeNumber(attribute="session_id", allow_none=True)
    currency = Text()
    amount = WholeNumber("In minor units.")
    balance = WholeNumber("The balance after it.")


PlayerStatsSchema = shape_of(
    "PlayerStats",
    PlayerStats,
    evenings=Rows(
        Part(OwnEveningSchema),
        "The latest 20, newest first; all are at `/players/{player_id}/evenings`.",
    ),
    money=Rows(
        Part(MoneyMoveSchema),
        "The latest 20, newest first; all are at `/players/{player_id}/statement`.",
    ),
)
