"""Restoring a backup to a new place, after it was checked and verified."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import MetaData, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.connecting import sqlite_file
from ledger.database.revisions import NotMigrated
from ledger.keeping import migrate, postgres
from ledger.keeping.backup import Backup, damage
from ledger.keeping.postgres import CopyFailed
from ledger.runtime.files import give_name, private, to_disk
from ledger.runtime.signing import SigningKey
from ledger.services import audit
from ledger.services.audit import bounds
from ledger.words.problems import counted

_HEADS = {b"SQLite format 3\0": "sqlite", b"PGDMP": "postgresql"}
"""The first bytes of a ledger's backups, and the database that each is for."""


class NotRestored(RuntimeError):
    """The backup was not restored; the message gives the reason. The new place is empty."""


def restore(file: Path, to: URL, signer: SigningKey | None = None) -> None:
    """Restore a backup to ``to``, which must be empty, migrate it, and recompute everything in it.

    ``signer`` signs the entries of migrations. Raises ``NotRestored``, also for a difference; ``to`` is
    then as it was before.
    """
    try:
        _must_be_a_backup(file, to)
        (_into_file if to.get_backend_name() == "sqlite" else _into_server)(file, to, signer)
    except (OSError, sqlite3.Error, DBAPIError, CopyFailed, NotMigrated) as error:
        raise NotRestored(f"{file} was not restored: {' '.join(str(error).split())}") from error


def _must_be_a_backup(file: Path, to: URL) -> None:
    with file.open("rb") as stream:
        start = stream.read(16)
    kind = next((kind for head, kind in _HEADS.items() if start.startswith(head)), None)
    backup = Backup.of(file)
    if kind is None:
        raise CopyFailed("it is not a backup of a ledger")
    if backup and not backup.intact:
        raise CopyFailed("it is damaged: it does not hold what was saved under this name")
    if kind != to.get_backend_name():
        raise CopyFailed(f"it is of {kind}, and goes into a database of the same kind")


def _into_file(file: Path, to: URL, signer: SigningKey | None) -> None:
    target = sqlite_file(to).absolute()
    paths = [f"{target}{end}" for end in ("", "-wal", "-shm", "-journal")]
    if existing := next(filter(os.path.lexists, paths), None):
        raise CopyFailed(f"there is already {existing}; name a place where nothing is")
    if not target.parent.is_dir():
        raise CopyFailed(f"there is no folder {target.parent}")
    partial = private(target.with_name(f".{target.name}-{os.getpid()}"))
    try:
        shutil.copyfile(file, partial)
        with closing(sqlite3.connect(partial)) as copy:
            if fault := damage(copy):
                raise CopyFailed(f"it is damaged ({fault})")
        _verify(to.set(database=str(partial), query={}), signer)
        with closing(sqlite3.connect(partial)) as copy:
            copy.execute("PRAGMA journal_mode = DELETE")
        to_disk(partial)
        give_name(partial, target)
        to_disk(target.parent)
    finally:
        for end in ("", "-wal", "-shm"):
            Path(f"{partial}{end}").unlink(missing_ok=True)


def _into_server(file: Path, to: URL, signer: SigningKey | None) -> None:
    place = to.render_as_string()
    database = Database(to.render_as_string(hide_password=False))
    try:
        with database.engine.connect() as connection:
            if inspect(connection).get_table_names():
                raise CopyFailed(f"there are tables in {place}; name an empty database")
        postgres.load(file, to)
        try:
            _verify(to, signer)
        except BaseException:
            _empty(database)
            raise
    finally:
        database.close()


def _empty(database: Database) -> None:
    """Remove everything from a database that was empty before."""
    with database.engine.begin() as connection:
        tables = MetaData()
        tables.reflect(connection)
        tables.drop_all(connection)
        query = "SELECT oid::regprocedure FROM pg_proc WHERE proname LIKE 'books\\_%'"
        for function in connection.execute(text(query)).scalars().all():
            connection.execute(text(f"DROP FUNCTION {function}"))


def _verify(url: URL, signer: SigningKey | None) -> None:
    """Migrate a restored database and recompute everything in it. Raises ``CopyFailed`` for a difference."""
    database = Database(url.render_as_string(hide_password=False))
    database.signer = signer
    bounds.limit(database)
    try:
        with database.engine.connect() as connection:
            if replaced := bounds.replaced_tables(connection):
                raise CopyFailed(str(replaced[0]))
        if revisions.at(database) is None:
            raise CopyFailed("it holds no ledger")
        migrate.upgrade(database)
        differences = list(audit.verify(database))
    finally:
        database.close()
    if differences:
        raise CopyFailed(
            f"its books are not in order ({counted(len(differences), 'difference')}; the first: "
            f"{differences[0]})"
        )
