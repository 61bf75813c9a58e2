"""Two versions of the program on one PostgreSQL: the newer one has a migration more."""

import shutil
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Role
from ledger.database.revisions import NEWEST
from ledger.services.club import clubs, tokens
from tests.ledger import table
from tests.support.postgres import Cluster
from tests.support.server import Server, ServerError, start_server
from tests.support.tree import ROOT
from tests.trials.scorers import Books, scoring

MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"
branch_labels = None
depends_on = None
rolling = {rolling}


def upgrade() -> None:
    op.add_column("player", sa.Column("nickname", sa.String))


def downgrade() -> None:
    op.drop_column("player", "nickname")
"""


def newer(folder: Path, revision: str, *, rolling: bool) -> Path:
    """Return the folder of a copy of the program with a migration more."""
    for package in ("engine", "ledger", "migrations", "templates"):
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    migration = MIGRATION.format(revision=revision, before=NEWEST, rolling=rolling)
    (folder / "migrations" / "versions" / f"{revision}_nicknames.py").write_text(migration)
    return folder


@pytest.mark.postgres
@pytest.mark.parametrize(("revision", "rolling"), [(f"{NEWEST}r1", True), ("9999", False)])
def test_an_older_server_saves_on_only_after_a_rolling_migration(
    postgres_cluster: Cluster, tmp_path: Path, revision: str, *, rolling: bool
) -> None:
    """Otherwise it refuses, and does not start again; the newer one saves in both cases."""
    url = postgres_cluster.migrated()
    with closing(Database(url)) as database:
        club, _ = clubs.create(database, name="Kitchen Table", passcode="four aces")
        token, _ = tokens.issue(database, club, label="bot", role=Role.SCORER)
        books = Books(url, club, token, table.start(database, club))
    with ExitStack() as stack:

        def start(name: str, code: Path = ROOT) -> Server:
            folder = tmp_path / name
            folder.mkdir()
            without_backups = {"LEDGER_BACKUPS_KEPT": "0"}
            server = start_server(folder, database_url=url, environment=without_backups, code=code)
            stack.callback(server.stop)
            return server

        def answers(server: Server, number: int) -> set[int]:
            port = int(server.url.rpartition(":")[2])
            with scoring(port, books, 1, 1, first=number) as (scorer,):
                scorer.join(2 if not rolling else 30)
                scorer.stop.set()
            return {*scorer.answers}

        old = start("old")
        assert answers(old, 1) == {201}
        new = start("new", newer(tmp_path / "code", revision, rolling=rolling))
        assert answers(new, 2) == {201}
        assert answers(old, 3) == ({201} if rolling else {503})
        if rolling:
            assert answers(start("restarted"), 4) == {201}
        else:
            with pytest.raises(ServerError, match="newer version of Solo Ledger"):
                start("restarted")
        with closing(Database(url)) as database:
            assert table.row_counts(database)["hand"] == (4 if rolling else 2)
