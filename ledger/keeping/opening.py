"""Opening a ledger read-only, for verification; it is never migrated.

If SQLite can't create its files beside the database, as on a read-only mount, the database is opened as
immutable or, if its WAL is not empty, copied. A ledger of an earlier version is copied and the copy migrated.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from ledger.database import revisions
from ledger.database.connecting import Connected, sqlite_file
from ledger.services.audit import bounds
from ledger.services.audit.integrity import Remark, connect


class NotVerified(RuntimeError):
    """The ledger could not be opened; the message gives the reason."""


@contextmanager
def as_they_are(url: URL, remark: Remark, *, older: bool = True) -> Iterator[Connected]:
    """Yield a ledger, or a temporary copy of it, open for reading. Raises ``NotVerified``.

    ``remark`` gets a sentence for each copy. Without ``older``, a ledger of an earlier version is refused.
    """
    with TemporaryDirectory(prefix="solo-ledger-") as folder:
        readable = _readable(url, Path(folder), remark)
        database = Connected(readable.render_as_string(hide_password=False))
        bounds.limit(database)
        try:
            at = _revision(database)
            if at != revisions.NEWEST and not older:
                raise NotVerified(f"{_older(at)}; start solo-ledger serve once, which migrates it.")
            if at != revisions.NEWEST:
                database.close()
                database = _migrated(database, at, Path(folder), remark)
            yield database
        finally:
            database.close()


def _revision(database: Connected) -> str:
    """Return the ledger's revision; ours if damage makes it unreadable. Raises ``NotVerified``."""
    try:
        with database.engine.connect() as connection:
            if bounds.replaced_tables(connection):
                return revisions.NEWEST
        at = revisions.at(database)
    except revisions.NotMigrated as error:
        raise NotVerified(f"{error}.") from error
    except (DBAPIError, UnicodeDecodeError) as error:  # even the error message may be damaged
        if not database.is_sqlite:
            raise NotVerified(str(getattr(error, "orig", error))) from error
        return revisions.NEWEST
    if at is None:
        raise NotVerified("there is no ledger in it.")
    if at > revisions.NEWEST:
        raise NotVerified(
            f"a newer version upgraded it to migration {at}; verify it with that one."
        )
    return at


def _older(at: str) -> str:
    return f"it stands at migration {at}, and this version's is {revisions.NEWEST}"


def _migrated(database: Connected, at: str, folder: Path, remark: Remark) -> Connected:
    """Return a migrated copy of a ledger of an earlier version. Raises ``NotVerified``."""
    # Imported here, as they load everything that writes.
    from ledger.books.transactions import Database
    from ledger.keeping import migrate

    older = _older(at)
    if not database.is_sqlite:
        raise NotVerified(
            f"{older}. The version that wrote it verifies it, or this one after "
            "solo-ledger serve has migrated it."
        )
    copy = folder / "migrated.sqlite"
    try:
        with closing(connect(database.url)) as source, closing(sqlite3.connect(copy)) as to:
            source.backup(to)
        migrated = Database(URL.create("sqlite", database=str(copy)).render_as_string())
        bounds.limit(migrated)
        migrate.upgrade(migrated)
    except (sqlite3.Error, DBAPIError, UnicodeDecodeError, revisions.NotMigrated) as error:
        raise NotVerified(f"{older}; a copy can't be migrated: {error}") from error
    remark(f"The ledger is older: {older}. A copy was migrated and verified; it was left as it is.")
    return migrated


def _readable(url: URL, folder: Path, remark: Remark) -> URL:
    """Return the URL of the ledger, or of a copy, to read without writing. Raises ``NotVerified``."""
    if url.get_backend_name() != "sqlite":
        return url
    file = sqlite_file(url).absolute()
    try:
        if not file.is_file():
            raise NotVerified("there is none.")
    except PermissionError as error:
        raise NotVerified(f"{file} can't be read: {error.strerror}.") from error
    for flag in ("mode=ro", "immutable=1"):
        wal = Path(f"{file}-wal")
        if flag == "immutable=1" and wal.is_file() and wal.stat().st_size:
            break  # an immutable database is read without its WAL, which has the last saves
        readable = _read_only(file, flag)
        try:
            with closing(connect(readable)) as database:
                database.execute("SELECT count(*) FROM sqlite_master")
            return readable
        except sqlite3.OperationalError:
            continue  # SQLite can't create its files beside it
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return readable  # it is damaged, which verification reports
    try:
        for end in ("", "-wal"):
            shutil.copyfile(f"{file}{end}", folder / f"copy.sqlite{end}")
    except OSError as error:
        raise NotVerified(f"{file} can't be read: {error.strerror}.") from error
    remark(f"{file} can't be read where it is; a copy was verified.")
    return URL.create("sqlite", database=str(folder / "copy.sqlite"))


def _read_only(file: Path, flag: str) -> URL:
    name, _, value = flag.partition("=")
    return URL.create(
        "sqlite", database=f"file:{quote(str(file))}", query={name: value, "uri": "true"}
    )
