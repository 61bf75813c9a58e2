"""The rows read for a page or a write do not grow with the number of clubs, as PostgreSQL plans to read them.

Walking through a table is as cheap as an index for a few hundred clubs. So it is forbidden here: then each
plan shows whether an index fits. The benchmark ``installation`` forbids nothing, and has thousands of clubs.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import psycopg
import pytest

from ledger.books.transactions import Database
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.club import clubs
from tests.ledger import table
from tests.ledger.evenings import CardClub, sent_by
from tests.ledger.installation import KINDS_OF_PLANS, Pages, Statement, furnish, multiply
from tests.support.postgres import Cluster

pytestmark = pytest.mark.postgres

CLUBS = 60


class Installation(NamedTuple):
    """The pages of one of its clubs, and the statements that wrote that club."""

    pages: Pages
    writes: list[Statement]


@pytest.fixture(scope="module")
def installation(
    postgres_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """Dozens of clubs, each with an evening of every game."""
    url = postgres_cluster.migrated()
    database = Database(url)
    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
    club = CardClub(database, access)
    with sent_by(club, many=True) as sent:
        numbers = furnish(club)
    multiply(database, access.club_id, CLUBS)
    folder = tmp_path_factory.mktemp("installation")
    app = create_app(Settings(url, folder, table.SECRET), database)
    yield Installation(Pages(app, club, numbers), [Statement(*each) for each in sent])
    database.close()


def whole_tables(database: Database, statements: Iterable[Statement]) -> list[tuple[str, str]]:
    """Return each statement that reads more than one club's rows, with the table."""
    with database.engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, psycopg.Connection)
        raw.execute("SET LOCAL enable_seqscan = off")
        return [
            (part, statement.text)
            for statement in {each.text: each for each in statements}.values()
            for kind in KINDS_OF_PLANS
            for part in statement.plan(raw, kind).whole_tables
        ]


def test_no_page_reads_the_rows_of_other_clubs(installation: Installation) -> None:
    """Each table is entered by an index that begins with the club: every page, and every read of the API."""
    pages = installation.pages
    read = {name: pages.statements(address) for name, address in pages.addresses.items()}
    assert {"web.home", "web.board", "web.history", "api-feed.follow_entries"} <= read.keys()
    statements = [each for page in read.values() for each in page]
    assert whole_tables(pages.club.db, statements) == []


def test_no_write_reads_the_rows_of_other_clubs(installation: Installation) -> None:
    """Nor do an evening of every game, corrections, counts, conversions and payments."""
    writes = [each for each in installation.writes if each.is_planned]
    assert {each.text.split()[0] for each in writes} >= {"SELECT", "INSERT", "UPDATE"}
    assert whole_tables(installation.pages.club.db, writes) == []
