"""Statistics of a player, and head to head, as answered."""

from typing import Any

from marshmallow import fields

from ledger.api.schemas.base import Answer, Day, Moment, Part, Rows, Text, Told, Whole


class AverageField(Told, fields.String):
    """An exact fraction, as text to two places: no number is ever a float."""

    def _serialize(
        self,
        value: Any,
        attr: str | None,  # noqa: ARG002
        obj: Any,  # noqa: ARG002
        **_more: Any,
    ) -> str:
        hundredths = round(value * 100)
        sign = "-" if hundredths < 0 else ""
        return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


class RecordSchema(Answer):
    """How often something was done, and how it ended."""

    hands = Whole()
    won = Whole("Contracts that were made, whichever side the player was on.")
    lost = Whole()
    tied = Whole()
    total = Whole("What the player won by it, in chips.")
    average = AverageField("Chips per hand, to two places, such as `-12.50`.")


class GameRecordSchema(Answer):
    """A player's record in one game."""

    game = Text()
    title = Text()
    played = Part(RecordSchema)
    as_bidder = Part(RecordSchema)
    as_partner = Part(RecordSchema)
    as_opponent = Part(RecordSchema)


class ContractRecordSchema(Answer):
    """A player's record as the bidder of one contract."""

    game = Text()
    game_title = Text()
    bid = Text("A bid's slug.")
    record = Part(RecordSchema)


class ExtremeSchema(Answer):
    """A best or worst hand."""

    amount = Whole("What it brought or, if negative, cost.")
    session = Whole(attribute="session_id")
    title = Text(attribute="session_title")
    played_on = Day()
    hand = Whole("Its number in the session.")


_MONEY = "What it came to in money, in minor units; 0 if it did not."


class OwnEveningSchema(Answer):
    """What a player won in one session."""

    session = Whole(attribute="session_id")
    title = Text()
    started_on = Day()
    won = Whole("In chips.")
    total = Whole("The running total of all their evenings, in chips.")
    money = Whole(_MONEY)


class SittingSchema(Answer):
    """What one player won in an evening."""

    player = Text()
    won = Whole("In chips; negative if lost.")
    money = Whole(_MONEY)


class EveningSchema(Answer):
    """An evening of the club."""

    session = Whole(attribute="session_id")
    title = Text()
    started_on = Day()
    game = Text("The last game played.")
    game_title = Text("With its variant, if it has any.")
    variant = Text(allow_none=True)
    state = Text("`open`, `paused` or `closed`.")
    hands_dealt = Whole("Including void ones.", attribute="hands")
    winners = Rows(Text(), "Who won most; nobody if all are even.")
    seats = Rows(Part(SittingSchema), "Everybody who was seated, best first.")
    currency = Text("The currency of the money.")


class MoneyMoveSchema(Answer):
    """A change of a player's money."""

    occurred_at = Moment()
    kind = Text("The kind of the journal entry.")
    session = Whole(attribute="session_id", allow_none=True)
    currency = Text()
    amount = Whole("In minor units.")
    balance = Whole("The balance after it.")


class PlayerStatsSchema(Answer):
    """A player's statistics, over all hands that stand."""

    id = Whole()
    name = Text()
    played = Part(RecordSchema, "Without the hands they sat out.")
    sat_out = Part(RecordSchema)
    as_bidder = Part(RecordSchema)
    games = Rows(Part(GameRecordSchema))
    contracts = Rows(Part(ContractRecordSchema), "As the bidder, by game.")
    best = Part(ExtremeSchema, allow_none=True)
    worst = Part(ExtremeSchema, allow_none=True)
    sessions = Whole("How many evenings they attended.")
    evenings = Rows(
        Part(OwnEveningSchema),
        "The latest 20, newest first; all are at `/players/{player_id}/evenings`.",
    )
    money = Rows(
        Part(MoneyMoveSchema),
        "The latest 20, newest first; all are at `/players/{player_id}/statement`.",
    )


class PairSchema(Answer):
    """What two players paid each other over all hands that stand, in chips."""

    player = Text()
    other = Text()
    got = Whole("What the player got from the other.")
    paid = Whole("What the player paid the other.")
    net = Whole()
    hands_got = Whole("In how many hands the player got something from the other.")
    hands_paid = Whole()
