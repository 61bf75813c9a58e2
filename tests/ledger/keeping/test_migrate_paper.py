"""Migration 0034: evenings that were scored on paper."""

from datetime import date

import pytest

from ledger.books.transactions import Database
from ledger.database.revisions import NotMigrated
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs
from ledger.services.reads import sessions
from ledger.services.table import paper
from ledger.services.table.paper import PaperEvening
from tests.ledger import cash, table
from tests.ledger.evenings import CardClub

IN_MAY = PaperEvening("frog", {"Ann": 40, "Bob": -40}, date(2026, 5, 7))


@pytest.fixture
def populated(own_database: Database) -> CardClub:
    """A club with a played evening, on either database."""
    access, _ = clubs.create(own_database, name="Kitchen", passcode="four aces", author="Sue")
    club = CardClub(own_database, access)
    club.start(table.FOUR).record(cash.ANN_WINS)
    return club


def test_clubs_without_evenings_on_paper_go_down_and_up(
    own_database: Database, populated: CardClub
) -> None:
    """The played evening isn't marked, and one on paper can be entered afterwards."""
    before = populated.read(sessions.of_club)
    migrate.downgrade(own_database, "0033")
    migrate.upgrade(own_database)
    assert populated.read(sessions.of_club) == before
    assert [evening.on_paper for evening in before] == [False]
    populated.do(paper.enter, IN_MAY)
    assert list(verify(own_database)) == []


def test_an_evening_on_paper_stops_a_downgrade_which_changes_nothing(
    own_database: Database, populated: CardClub
) -> None:
    """Its entry can't leave the chain; that it was deleted since makes no difference."""
    populated.do(paper.enter, IN_MAY)
    before = populated.read(sessions.of_club)
    with pytest.raises(NotMigrated, match="evenings that were scored on paper"):
        migrate.downgrade(own_database, "0033")
    assert populated.read(sessions.of_club) == before
    assert list(verify(own_database)) == []
