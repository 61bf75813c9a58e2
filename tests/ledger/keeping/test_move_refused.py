"""Moves that are refused, with the reason in a sentence; nothing of anybody is changed."""

import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import delete

from ledger.books.transactions import Database
from ledger.database.models import RefusedTry
from ledger.keeping import move
from ledger.keeping.move import LedgerCopy
from ledger.services.club import clubs, players
from tests.ledger import table
from tests.ledger.keeping.conftest import Fill
from tests.ledger.keeping.moved import Installation, play, stopping, url


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("", "there is a ledger already, with 1 row in club"),
        ("UPDATE alembic_version SET version_num = 'moving-0001'", "another process or version"),
        ("UPDATE alembic_version SET version_num = '9999'", "a newer version of Solo Ledger"),
        ("UPDATE alembic_version SET version_num = '0027'", "there is a ledger of an earlier"),
        ("DROP TABLE alembic_version", "there is a table of something else"),
    ],
)
def test_a_used_database_is_refused(
    on_sqlite: Installation, own_database: Database, statement: str, reason: str
) -> None:
    """Its rows stay as they are, and so do those of an empty one with tables of another program."""
    clubs.create(own_database, name="Other Table", passcode="123456")
    rows = table.row_counts(own_database)
    if statement:
        with own_database.engine.begin() as connection:
            connection.execute(text(statement))
    result = on_sqlite.move(url(own_database))
    assert result.exit_code == 1
    assert reason in result.stderr
    assert "Nothing was copied. The old ledger is unchanged." in result.stderr
    assert table.row_counts(own_database) == rows


@pytest.mark.parametrize("other_name", ["itself", "a link", "a URL"])
def test_the_ledger_in_use_is_no_new_place(
    on_sqlite: Installation, tmp_path: Path, other_name: str
) -> None:
    """By whichever name; the command does not wait for a lock of its own."""
    file = Path(on_sqlite.database.url.database or "")
    link = tmp_path / "another-name.sqlite"
    link.symlink_to(file)
    place = {"itself": str(file), "a link": str(link), "a URL": f"sqlite:///{file}"}[other_name]
    before = file.read_bytes()
    result = on_sqlite.move(place)
    assert result.exit_code == 1
    assert "is the ledger in use; name a new place" in result.stderr
    assert file.read_bytes() == before


def test_the_unfinished_copy_of_another_ledger_is_refused(
    on_sqlite: Installation, own_database: Database, target: str
) -> None:
    """Its entries are not those of this ledger, although they have the same numbers."""
    own_database.signer = on_sqlite.database.signer
    other = Installation(
        own_database,
        play(own_database),
        {**on_sqlite.env, "LEDGER_DATABASE_URL": url(own_database)},
    )
    with stopping(60):
        other.move(target)
    result = on_sqlite.move(target)
    assert "there is the unfinished copy of another ledger" in result.stderr
    other.moved(target)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE account SET balance = balance + 1 WHERE id = 1", "difference"),
        ("UPDATE player SET created_at = 'yesterday'", "yesterday"),
        ("UPDATE player SET created_at = 5", "must be str"),
        ("UPDATE alembic_version SET version_num = '0027'", "start solo-ledger serve once"),
    ],
)
def test_a_ledger_that_does_not_verify_is_not_moved(
    on_sqlite: Installation, target: str, statement: str, reason: str
) -> None:
    """Nor one of an earlier version, which only a service migrates."""
    with on_sqlite.database.engine.begin() as connection:
        connection.execute(text(statement))
    result = on_sqlite.move(target)
    assert result.exit_code == 1
    assert reason in result.stderr


def test_a_row_that_differs_in_the_copy_is_found(on_sqlite: Installation, tmp_path: Path) -> None:
    """Entries are not corrected, so one that was changed by hand is reported."""
    file = tmp_path / "new.sqlite"
    with stopping(1_000):
        on_sqlite.move(str(file))
    with closing(sqlite3.connect(file)) as copy, copy:
        copy.execute("UPDATE alembic_version SET version_num = 'moving-' || version_num")
        copy.execute("DROP TRIGGER posting_no_update")
        copy.execute("UPDATE posting SET balance = balance + 1 WHERE club_id = 1 AND id = 2")
    result = on_sqlite.move(str(file))
    assert "the copy differs in posting (1, 2)" in result.stderr


def test_rows_that_are_changed_or_gone_in_the_source_are_corrected(
    on_sqlite: Installation, target: str
) -> None:
    """Players exchange names, a network is forgotten, and a new club is found between the copied ones."""
    with stopping(60):
        on_sqlite.move(target)
    club = on_sqlite.club
    for name in table.SEVEN[:3]:
        club.do(players.archive, club.player(name))
    for before, after in (("Ann", "Zoe"), ("Bob", "Ann"), ("Zoe", "Bob")):
        club.do(players.rename, club.player(before), name=after)
    with on_sqlite.database.write() as session:
        session.exec(delete(RefusedTry))
    clubs.create(on_sqlite.database, name="Aces", passcode="123456")
    on_sqlite.moved(target)


def test_memory_does_not_grow_with_the_ledger(
    on_sqlite: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen megabytes go through four."""
    Fill(Path(on_sqlite.database.url.database or ""))(800, "2026-01-01 00:00:00.000000")
    monkeypatch.setattr(move, "BATCH", 20)
    with closing(Database(f"sqlite:///{tmp_path / 'new.sqlite'}")) as new:
        with on_sqlite.database.one_moment() as moment:
            copy = LedgerCopy(moment, new)
            tracemalloc.start()
            try:
                copy.fill(lambda _done, _total: None)
                copy.compare(lambda _done, _total: None)
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
        copy.complete(on_sqlite.database)
    assert peak < 5_000_000


def test_keys_and_certificates_go_along(on_sqlite: Installation, tmp_path: Path) -> None:
    """Into another folder, for their owner only; another ledger's keys there are not replaced."""
    (tmp_path / "https").mkdir()
    (tmp_path / "https" / "authority.pem").write_text("a certificate")
    folder = tmp_path / "elsewhere"
    missing = on_sqlite.move(str(folder / "ledger.sqlite"))
    assert f"There is no folder {folder}." in missing.stderr
    folder.mkdir()
    moved = on_sqlite.moved(f"sqlite:///{folder / 'ledger.sqlite'}")
    assert f"Copied with it: {folder / 'secret-key'}, {folder / 'signing-key'}" in moved.stdout
    for name in ("secret-key", "signing-key", "https/authority.pem"):
        assert (folder / name).read_bytes() == (tmp_path / name).read_bytes()
        assert (folder / name).stat().st_mode & 0o777 == 0o600
    (folder / "secret-key").write_text("another")
    refused = on_sqlite.move(str(folder / "second.sqlite"))
    assert f"{folder / 'secret-key'} belongs to another ledger" in refused.stderr
    assert not (folder / "second.sqlite").exists()


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("mysql://host/name", "--to names mysql; the ledger is kept in"),
        ("sqlite://", "--to names a database in memory"),
        ("postgresql+psycopg://u:geheim@host:port/name", "--to is not a database URL"),
        ("postgresql+psycopg://u:geheim@geheim@host/name", "has an @ in its password"),
        ("postgresql+psycopg://u:geheim@127.0.0.1:1/name?password=geheim", "127.0.0.1"),
        ("://", "--to is not a database URL"),
        ("\udcff.sqlite", "--to is not in UTF-8"),
        (".", "is a folder; name a file in it"),
    ],
)
def test_a_faulty_place_is_refused_in_a_sentence_without_its_password(
    on_sqlite: Installation, to: str, reason: str
) -> None:
    """Nothing was copied then, and the ledger is as it was."""
    result = on_sqlite.move(to)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert reason in result.stderr
    assert "geheim" not in result.output
    assert isinstance(result.exception, SystemExit)
