"""Who leads: proposed with the dealer, and said otherwise by any table; the dealer then follows."""

from typing import Any

import pytest

from engine import games
from engine.rules.changes import VERSION
from engine.rules.seating import Turn
from ledger.services.hands import correct, draft, versions
from ledger.services.hands import record as hands_record
from ledger.words.problems import Invalid
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening

CYD_62 = {"contract": {"bidder": "Cyd", "bid": "solo", "trump": "S"}, "points": 62}


@pytest.fixture
def evening(sqlite_club: CardClub) -> Evening:
    """A Six-Bid session of four; Dee deals first and sits out, so Ann leads."""
    return sqlite_club.start(game="six-bid", first_dealer="Dee")


@pytest.mark.parametrize(
    ("slug", "seats"),
    [(slug, seats) for slug, sheet in games.GAMES.items() for seats in sheet.seats],
)
def test_every_seat_of_every_game_can_be_made_the_lead(slug: str, seats: int) -> None:
    """Whoever deals by rotation; the record names the dealer, and no lead."""
    players = [f"Seat {number}" for number in range(seats)]
    rules = games.find(slug).rules(None, {}, seats)
    for due in players:
        given = {"format": 1, "game": slug, "players": players}
        turn = Turn(rules.seating, rules.table(tuple(players), due))
        for lead in players:
            record = draft.complete({"lead": lead, **table.ALL_PASS}, given, turn, VERSION)
            seated = rules.table(record.players, record.dealer, record.active)
            assert seated.lead == lead
            assert record.dealer == players[players.index(lead) - 1]
            assert "lead" not in record.to_mapping()


def test_a_lead_said_otherwise_moves_the_turn_on_from_there(evening: Evening) -> None:
    """Cyd leads in place of Ann: Bob deals and sits out; then Cyd deals and Dee leads."""
    assert evening.turn == ("Dee", "Ann")
    preview = evening.preview(hands_record.record, {**CYD_62, "lead": "Cyd"})
    assert preview.record["dealer"] == "Bob"
    evening.record({**CYD_62, "lead": "Cyd"})
    assert evening.read(versions.of_hand, 1)[-1].record == preview.record
    assert evening.balances == {"Ann": -2, "Bob": 0, "Cyd": 4, "Dee": -2}
    assert evening.turn == ("Cyd", "Dee")


def test_a_correction_can_say_who_led(evening: Evening) -> None:
    """It was Bob: then Ann dealt, and sat out."""
    evening.record({**CYD_62, "lead": "Cyd"})
    preview = evening.preview(correct.correct, 1, {**CYD_62, "lead": "Bob"})
    evening.correct(1, {**CYD_62, "lead": "Bob"})
    assert evening.read(versions.of_hand, 1)[-1].record["dealer"] == "Ann"
    assert evening.balances == preview.balances == {"Ann": 0, "Bob": -2, "Cyd": 4, "Dee": -2}


def test_the_lead_goes_with_the_trio_that_plays(evening: Evening) -> None:
    """Dee deals as is due, Ann sits out in place of the king: Bob leads."""
    active = ["Bob", "Cyd", "Dee"]
    hand = {**table.ALL_PASS, "dealer": "Dee", "active": active, "lead": "Bob"}
    preview = evening.preview(hands_record.record, hand)
    assert (preview.record["dealer"], preview.record["active"]) == ("Dee", active)


@pytest.mark.parametrize(
    ("lead", "code", "sentence"),
    [
        (
            {"dealer": "Ann", "lead": "Dee"},
            "lead-follows-dealer",
            "With Ann dealing, Bob leads. For Dee to lead, Cyd must deal.",
        ),
        (
            {"active": ["Ann", "Bob", "Cyd"], "lead": "Dee"},
            "lead-sits-out",
            "Dee sits this hand out and can't lead it.",
        ),
        ({"lead": "Zoë"}, "unknown-seat", "can't lead: the players are Ann, Bob, Cyd, Dee."),
        ({"lead": 7}, "unknown-seat", "7 can't lead"),
        ({"lead": ["Ann"]}, "unknown-seat", "a list can't lead"),
    ],
)
def test_an_impossible_lead_is_refused_at_the_lead(
    evening: Evening, lead: dict[str, Any], code: str, sentence: str
) -> None:
    """By the preview and by saving alike, with what would make it so."""
    for act in (evening.preview, evening.do):
        with evening.club.refuses(Invalid, at="lead", code=code) as caught:
            act(hands_record.record, {**table.ALL_PASS, **lead})
        assert sentence in caught.value.faults[0].message
