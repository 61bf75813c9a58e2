"""What is told of an evening: worked out by hand for a short one."""

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.reads import highlights, session
from ledger.services.reads.highlights import Highlights
from tests.ledger import cash, table
from tests.ledger.table import ask


def told(database: Database, access: Access, session_id: int) -> Highlights:
    """Return what is told of a session."""
    return highlights.of_evening(ask(database, access, session.summary, session_id))


def test_an_evening_s_feats_are_told(database: Database, club: Access) -> None:
    """Ann wins 120, Cyd 300 and again 300, Ann loses 120; a void hand is nobody's feat."""
    played = table.start(database, club)
    for hand in (table.HEARTS_74, table.ALONE_85, table.ALONE_85, table.HEARTS_46):
        table.record(database, club, played, hand)
    table.record(database, club, played, {**table.ALONE_85, "points": 120})
    table.void(database, club, played, 5)
    found = told(database, club, played)
    assert found.winners is not None
    assert (found.winners.players, found.winners.amount) == (("Cyd",), 600)
    assert found.gain is not None
    assert found.gain.hand is not None
    assert (found.gain.players, found.gain.amount, found.gain.hand.number) == (("Cyd",), 300, 2)
    assert found.loss is not None
    assert found.loss.hand is not None
    assert (found.loss.players, found.loss.amount, found.loss.hand.number) == (("Ann",), -120, 4)
    assert found.run is not None
    assert (found.run.players, found.run.amount) == (("Cyd",), 2)
    assert found.bids is not None
    assert (found.bids.players, found.bids.amount) == (("Cyd",), 2)
    assert found.changes == 1


def test_of_an_evening_without_a_hand_nothing_is_told(database: Database, club: Access) -> None:
    """Nor of one in which all passed."""
    played = table.start(database, club, table.FOUR)
    nothing = Highlights(None, None, None, None, None, 0)
    assert told(database, club, played) == nothing
    table.record(database, club, played, table.ALL_PASS)
    assert told(database, club, played) == nothing


def test_who_are_ahead_together_have_won_together(database: Database, club: Access) -> None:
    """And who won as many bids are named together."""
    played = table.start(database, club, table.FOUR)
    for who in ("Ann", "Bob"):
        contract = {**cash.ANN_WINS["contract"], "bidder": who}  # type: ignore[dict-item]
        table.record(database, club, played, {**cash.ANN_WINS, "contract": contract})
    found = told(database, club, played)
    assert found.winners is not None
    assert (found.winners.players, found.winners.amount) == (("Ann", "Bob"), 100)
    assert found.bids is not None
    assert found.bids.players == ("Ann", "Bob")
    assert found.run is None
