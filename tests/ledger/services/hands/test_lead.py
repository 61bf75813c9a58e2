"""Who leads: proposed with the dealer, and said otherwise by any table; the dealer then follows."""

from typing import Any

import pytest

from engine import games
from engine.rules.changes import VERSION
from engine.rules.turns import Turn
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.hands import correct, draft, versions
from ledger.services.hands import record as hands_record
from ledger.words.problems import Invalid
from tests.ledger import table
from tests.ledger.table import ask, asking, dry

ALL_PASS = {"contract": {"bid": "pass"}}


@pytest.fixture
def four(database: Database, club: Access) -> int:
    """A Six-Bid session of four; Dee deals first and sits out, so Ann leads."""
    return table.start(database, club, table.FOUR, "six-bid", first_dealer="Dee")


@pytest.mark.parametrize(
    ("slug", "seats"),
    [(slug, seats) for slug, sheet in games.GAMES.items() for seats in sheet.seats],
)
def test_every_seat_of_every_game_can_be_made_the_lead(slug: str, seats: int) -> None:
    """Whoever deals by rotation; the record that is kept names the dealer, and no lead."""
    players = [f"Seat {number}" for number in range(seats)]
    rules = games.find(slug).rules(None, {}, seats)
    for due in players:
        given = {"format": 1, "game": slug, "players": players}
        turn = Turn(rules.seating, rules.table(tuple(players), due))
        for lead in players:
            record = draft.complete({"lead": lead, **ALL_PASS}, given, turn, VERSION)
            seated = rules.table(record.players, record.dealer, record.active)
            assert seated.lead == lead
            assert record.dealer == players[players.index(lead) - 1]
            assert "lead" not in record.to_mapping()


def test_a_lead_said_otherwise_moves_the_turn_on_from_there(
    database: Database, club: Access, four: int
) -> None:
    """Cyd leads in place of Ann: Bob deals and sits out; then Cyd deals and Dee leads."""
    assert table.turn(database, club, four) == ("Dee", "Ann")
    hand = {"contract": {"bidder": "Cyd", "bid": "solo", "trump": "S"}, "points": 62, "lead": "Cyd"}
    seen = ask(database, club, dry(hands_record.record), four, hand)
    assert seen.record is not None
    assert seen.record["dealer"] == "Bob"
    table.record(database, club, four, hand)
    assert ask(database, club, versions.of_hand, four, 1)[-1].record == seen.record
    assert table.balances(database, club, four) == {"Ann": -2, "Bob": 0, "Cyd": 4, "Dee": -2}
    assert table.turn(database, club, four) == ("Cyd", "Dee")


def test_a_correction_can_say_who_led(database: Database, club: Access, four: int) -> None:
    """It was Bob: then Ann dealt, and sat out."""
    hand = {"contract": {"bidder": "Cyd", "bid": "solo", "trump": "S"}, "points": 62}
    table.record(database, club, four, {**hand, "lead": "Cyd"})
    seen = ask(database, club, dry(correct.correct), four, 1, {**hand, "lead": "Bob"})
    table.correct(database, club, four, 1, {**hand, "lead": "Bob"})
    assert ask(database, club, versions.of_hand, four, 1)[-1].record["dealer"] == "Ann"
    assert table.balances(database, club, four) == seen.balances
    assert seen.balances == {"Ann": 0, "Bob": -2, "Cyd": 4, "Dee": -2}


def test_the_lead_goes_with_the_trio_that_plays(
    database: Database, club: Access, four: int
) -> None:
    """Dee deals as is due, Ann sits out in place of the king: Bob leads."""
    said = {**ALL_PASS, "dealer": "Dee", "active": ["Bob", "Cyd", "Dee"], "lead": "Bob"}
    seen = ask(database, club, dry(hands_record.record), four, said)
    assert seen.record is not None
    assert (seen.record["dealer"], seen.record["active"]) == ("Dee", ["Bob", "Cyd", "Dee"])


@pytest.mark.parametrize(
    ("said", "code", "sentence"),
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
def test_a_lead_that_cannot_be_is_refused_at_the_lead(
    database: Database, club: Access, four: int, said: dict[str, Any], code: str, sentence: str
) -> None:
    """By the preview and by saving alike, with what would make it so."""
    before = table.row_counts(database)
    for attempt in (asking(dry(hands_record.record)), table.record):
        with pytest.raises(Invalid) as refused:
            attempt(database, club, four, {**ALL_PASS, **said})
        (fault,) = refused.value.faults
        assert (fault.field, fault.code) == ("lead", code)
        assert sentence in fault.message
    assert table.row_counts(database) == before
