"""PostgreSQL's pages: damaged ones are named, the rest is read, and such books are never in order."""

import random
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.services.audit import postgres_pages, verify
from ledger.services.audit.postgres_pages import NO_AMCHECK
from ledger.services.club import clubs
from tests.ledger import table
from tests.support.postgres import VARIABLE, running_cluster
from tests.trials.trial_postgres import die, migrate_at, revive

pytestmark = pytest.mark.postgres

DAMAGED = {
    "posting": ("table posting: invalid page in block 0", "posting, row"),
    "pk_tally": ("index pk_tally: invalid page in block 1", "index pk_tally"),
    "uq_api_token_club_id_digest": (
        "table api_token: invalid page in block 0",
        "api_token: it can't be read",
    ),
}
"""What is torn, what is said of the pages, and of what the books say."""


def filled(url: str) -> None:
    """Write two hands into a database, and all of its pages to the disk."""
    with closing(Database(url)) as db:
        access, _ = clubs.create(db, name="Ours", passcode="four aces")
        played = table.start(db, access)
        table.record(db, access, played, table.HEARTS_74)
        table.record(db, access, played, table.ALONE_85)
        with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("CHECKPOINT"))


def asked(url: str, statement: str) -> str:
    """Ask a database for one value."""
    with closing(Database(url)) as db, db.engine.connect() as connection:
        return str(connection.execute(text(statement)).scalar_one())


def tear(file: Path) -> None:
    """Let something else stand in the second half of a file's last page."""
    page = file.read_bytes()
    file.write_bytes(page[:-4096] + random.Random(12).randbytes(4096))  # noqa: S311


def looked_at(url: str, monkeypatch: pytest.MonkeyPatch) -> Result:
    """Verify a database by the command."""
    monkeypatch.setenv("LEDGER_DATABASE_URL", url)
    return CliRunner().invoke(main, ["verify", "--jobs", "1"])


def test_of_a_damaged_cluster_each_torn_page_is_named_and_the_rest_is_read(
    tmp_path: Path, kept_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table's page, an index's leaf, an index's first page; then the server is gone."""
    monkeypatch.delenv(VARIABLE, raising=False)  # one of our own, which may be broken
    monkeypatch.setenv("LEDGER_DATA_DIR", str(tmp_path))
    with running_cluster(kept_folder, migrate_at) as cluster:
        urls = {name: cluster.migrated() for name in DAMAGED}
        files = {}
        for name, url in urls.items():
            filled(url)
            files[name] = Path(asked(url, f"SELECT pg_relation_filepath('{name}')"))
        data = Path(asked(url, "SHOW data_directory"))
        die(data)
        for file in files.values():
            tear(data / file)
        revive(data)
        for name, said in DAMAGED.items():
            answer = looked_at(urls[name], monkeypatch)
            assert answer.exit_code == 1, (name, answer.output)
            assert all(each in answer.stdout for each in said), (name, answer.stdout)
            assert "differences" in answer.stderr
        die(data)
        outcome = looked_at(url, monkeypatch)
        assert (outcome.exit_code, outcome.exception.__class__) == (3, SystemExit)
        assert outcome.stderr.startswith("Error: ")
        revive(data)


@pytest.mark.parametrize("any_database", ["postgres"], indirect=True)
def test_without_amcheck_one_line_says_so(any_database: Database) -> None:
    """And nothing is installed: verifying writes nothing."""
    remarks: list[str] = []
    assert list(verify(any_database, remark=remarks.append)) == []
    assert remarks.count(NO_AMCHECK) == 1
    with any_database.engine.connect() as connection:
        installed = connection.execute(text("SELECT extname FROM pg_extension")).scalars().all()
    assert "amcheck" not in installed


@pytest.mark.parametrize("any_database", ["postgres"], indirect=True)
def test_what_amcheck_says_of_tables_and_indexes_is_told(
    any_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is installed; here its functions are stood in for, as not every build has it."""
    with any_database.engine.begin() as connection:
        for each in (
            "CREATE SCHEMA checks",
            "CREATE FUNCTION checks.verify_heapam(regclass, check_toast boolean) RETURNS TABLE "
            "(blkno int, offnum int, msg text) LANGUAGE sql AS "
            "$$ SELECT 0, 7, 'too short' WHERE $1 = 'seat'::regclass $$",
            "CREATE FUNCTION checks.bt_index_check(regclass, boolean) RETURNS void LANGUAGE plpgsql AS $$ "
            "BEGIN IF $1 = 'pk_club'::regclass THEN RAISE 'out of order'; END IF; END $$",
        ):
            connection.execute(text(each))
    monkeypatch.setattr(postgres_pages, "_INSTALLED", "SELECT 1")
    monkeypatch.setattr(postgres_pages, "_ITS_SCHEMA", "SELECT 'checks'")
    try:
        said = [each.message.partition(" CONTEXT")[0] for each in verify(any_database)]
    finally:
        with any_database.engine.begin() as connection:
            connection.execute(text("DROP SCHEMA checks CASCADE"))
    assert said == ["index pk_club: out of order", "table seat: block 0, row 7: too short"]
