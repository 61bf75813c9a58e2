"""The highlights of an evening, worked out by hand for a short one."""

from typing import Any

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
    """Ann wins 120, Cyd 300 and again 300, Ann loses 120; a void hand is nobody's feat."""
    evening = sqlite_club.start(table.SEVEN)
    for hand in (table.HEARTS_74, table.ALONE_85, table.ALONE_85, table.HEARTS_46):
        evening.record(hand)
    evening.record({**table.ALONE_85, "points": 120})
    evening.void(5)
    feats = highlights_of(evening)
    assert feat(feats.winners) == ("Cyd", 600)
    assert feat(feats.gain) == ("Cyd", 300, 2)
    assert feat(feats.loss) == ("Ann", -120, 4)
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


def test_who_are_ahead_together_have_won_together(sqlite_club: CardClub) -> None:
    """And players with equally many won bids are named together."""
    evening = sqlite_club.start()
    for bidder in ("Ann", "Bob"):
        contract = {"bidder": bidder, "bid": "go-alone", "trump": "S"}
        evening.record({"contract": contract, "points": 85})
    feats = highlights_of(evening)
    assert feat(feats.winners) == ("Ann", "Bob", 100)
    assert feats.bids is not None
    assert feats.bids.players == ("Ann", "Bob")
    assert feats.run is None
