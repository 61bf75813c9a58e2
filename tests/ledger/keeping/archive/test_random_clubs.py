"""Clubs after any steps in any order, and of any age, arrive as they are, and again with what followed."""

import os
import shutil
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from ledger.books.transactions import Database
from ledger.keeping import migrate
from ledger.services.audit import verify
from tests.ledger import table
from tests.ledger.first_books import EVENINGS, FirstBooks
from tests.ledger.keeping.archive.archives import exported, imported, without_home
from tests.ledger.test_state_machine import Books
from tests.ledger.turned import TurnedDatabase


class Travelling(Books):
    """All rules of the state machine; both clubs are imported again as they grow."""

    def __init__(self) -> None:
        super().__init__()
        place = shutil.copy(self.empty, self.folder / "elsewhere.sqlite")
        self.elsewhere = Database(f"sqlite:///{place}")

    def look_back(self) -> None:
        """Import both clubs, and compare their archives from there."""
        super().look_back()
        for at_home, _ in self.clubs:
            archive = exported(self.database, at_home.club_id)
            club = imported(self.elsewhere, archive)
            assert without_home(exported(self.elsewhere, club.club_id)) == without_home(archive)
        assert [str(difference) for difference in verify(self.elsewhere)] == []

    def teardown(self) -> None:
        """Import both at the end, too."""
        super().teardown()
        self.elsewhere.close()


def test_random_clubs_arrive_as_they_are(empty_books: Path) -> None:
    """All games, changes, renamings and undoings."""
    Travelling.empty, Travelling.turned = empty_books, TurnedDatabase(empty_books)
    run_state_machine_as_test(
        Travelling,
        settings=settings(
            max_examples=int(os.environ.get("LEDGER_TEST_EXAMPLES", "3")),
            stateful_step_count=40,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_club_of_the_first_version_arrives_after_all_migrations(
    database_url: str, database: Database
) -> None:
    """Its first entries seal no records, and migrations have written others."""
    first = Database(database_url)
    migrate.upgrade(first, "0001")
    with first.engine.begin() as connection:
        books = FirstBooks(connection)
        for game, seats, variant, hands in EVENINGS:
            names = table.SEVEN[:seats]
            played = books.start(game, names, variant)
            ids = [books.record(played, {"dealer": names[-1], **hand}) for hand in hands]
            books.correct(played, ids[-1], {"dealer": names[-2], **hands[0]})
            books.void(played, books.record(played, {"dealer": names[-1], **hands[0]}))
    migrate.upgrade(first)
    archive = exported(first, books.club_id)
    club = imported(database, archive)
    assert without_home(exported(database, club.club_id)) == without_home(archive)
    assert [str(difference) for difference in verify(database)] == []
    first.close()
