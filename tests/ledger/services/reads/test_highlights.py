"""The highlights of an evening, worked out by hand for a short one."""

from typing import Any

import pytest

from ledger.services.reads import result
from ledger.services.reads.highlights import Highlights
from tests.ledger import table
from tests.ledger.evenings import CardClub, Evening


def highlights_of(evening: Evening) -> Highlights:
    """Return the highlights of a session."""
    return evening.read(result.of_evening).highlights


def feat(value: Any) -> tuple[Any, ...]:
    """Return a feat's players and amount, and the number of its hand if it has one."""
    hand = () if value.hand is None else (value.hand,)
    return (*value.players, value.amount, *hand)


def test_an_evening_s_feats_are_told(sqlite_club: CardClub) -> None:
    """Ann wins 120, Cyd 300 and again 300, Ann loses 120; a void hand is nobody's feat.

    Cyd climbs from -40 to 600, the others at most from -140 to -100.
    """
    evening = sqlite_club.start(table.SEVEN)
    for hand in (table.HEARTS_74, table.ALONE_85, table.ALONE_85, table.HEARTS_46):
        evening.record(hand)
    evening.record({**table.ALONE_85, "points": 120})
    evening.void(5)
    feats = highlights_of(evening)
    assert feat(feats.gain) == ("Cyd", 300, 2)
    assert feat(feats.loss) == ("Ann", -120, 4)
    assert feat(feats.comeback) == ("Cyd", 640, 1)
    assert feat(feats.run) == ("Cyd", 2)
    assert feat(feats.bids) == ("Cyd", 2)
    assert feats.changes == 1


def test_of_an_evening_without_a_hand_nothing_is_told(sqlite_club: CardClub) -> None:
    """Nor of one in which all passed."""
    evening = sqlite_club.start()
    nothing = Highlights(None, None, None, None, None, 0)
    assert highlights_of(evening) == nothing
    evening.record(table.ALL_PASS)
    assert highlights_of(evening) == nothing


def alone(bidder: str) -> dict[str, Any]:
    """Return a hand in which a player gets 50 from each of the others."""
    return {"contract": {"bidder": bidder, "bid": "go-alone", "trump": "S"}, "points": 85}


def test_players_with_equally_many_won_bids_are_named_together(sqlite_club: CardClub) -> None:
    """One bid in a row is no run, and what one hand brings is no comeback."""
    evening = sqlite_club.start()
    for bidder in ("Ann", "Bob"):
        evening.record(alone(bidder))
    feats = highlights_of(evening)
    assert feats.bids is not None
    assert feats.bids.players == ("Ann", "Bob")
    assert feats.run is None
    assert feats.comeback is None


def test_who_stays_at_the_lowest_has_no_comeback(sqlite_club: CardClub) -> None:
    """All pass twice after the hand that brought the others below zero."""
    evening = sqlite_club.start()
    for hand in (alone("Ann"), table.ALL_PASS, table.ALL_PASS):
        evening.record(hand)
    assert highlights_of(evening).comeback is None


@pytest.mark.parametrize(
    ("winners", "podium"),
    [
        ("", []),
        ("ABCD", []),
        ("AB", [("Ann", 1), ("Bob", 1), ("Cyd", 3), ("Dee", 3)]),
        ("CCB", [("Cyd", 1), ("Bob", 2), ("Ann", 3), ("Dee", 3)]),
        ("D", [("Dee", 1), ("Ann", 2), ("Bob", 2), ("Cyd", 2)]),
    ],
)
def test_the_podium_has_the_first_three_ranks(
    sqlite_club: CardClub, winners: str, podium: list[tuple[str, int]]
) -> None:
    """Equal players share a step; nobody stands on one if all are even."""
    evening = sqlite_club.start()
    for initial in winners:
        evening.record(alone(next(name for name in table.FOUR if name.startswith(initial))))
    lines = evening.read(result.of_evening).podium
    assert [(line.name, line.rank) for line in lines] == podium


def test_a_rank_with_too_many_players_is_not_on_the_podium(sqlite_club: CardClub) -> None:
    """Of seven the winner stands alone if six share the second rank."""
    evening = sqlite_club.start(table.SEVEN)
    evening.record(table.ALONE_85)
    assert [line.name for line in evening.read(result.of_evening).podium] == ["Cyd"]
