"""Opening books to look at them: read-only, wherever they are, and never migrated.

A file is opened read-only. Where SQLite can't make its own lists beside it, as on a read-only mount, it is
read as a file that nobody writes, or with what waits in its WAL from a copy. Books of an earlier
version are looked at in a copy that is migrated; they themselves stay as they are.
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
    """The books could not be looked at; the message says why."""


@contextmanager
def as_they_are(url: URL, remark: Remark) -> Iterator[Connected]:
    """Open books to be verified. Raises ``NotVerified``."""
    with TemporaryDirectory(prefix="solo-ledger-") as folder:
        found = _readable(url, Path(folder), remark)
        database = Connected(found.render_as_string(hide_password=False))
        bounds.limit(database)
        try:
            at = _revision(database)
            if at != revisions.NEWEST:
                database.close()
                database = _migrated(database, at, Path(folder), remark)
            yield database
        finally:
            database.close()


def _revision(database: Connected) -> str:
    """Return the schema of the books; of damaged ones that don't say, ours."""
    try:
        with database.engine.connect() as connection:
            if bounds.replaced_tables(connection):
                return revisions.NEWEST
        at = revisions.at(database)
    except revisions.NotMigrated as error:
        raise NotVerified(f"{error}.") from error
    except (DBAPIError, UnicodeDecodeError) as error:  # even what is wrong may be no text any more
        if not database.is_sqlite:
            raise NotVerified(str(getattr(error, "orig", error))) from error
        return revisions.NEWEST
    if at is None:
        raise NotVerified("there is no ledger in it.")
    return at


def _migrated(database: Connected, at: str, folder: Path, remark: Remark) -> Connected:
    """Migrate a copy of books of an earlier version."""
    # These bring all that writes: who has nothing to migrate need not wait for it.
    from ledger.books.transactions import Database
    from ledger.keeping import migrate

    older = f"it stands at migration {at}, and this version's is {revisions.NEWEST}"
    if not database.is_sqlite:
        raise NotVerified(
            f"{older}. The version that wrote it verifies it, or this one after "
            "solo-ledger serve has migrated it."
        )
    copy = folder / "migrated.sqlite"
    try:
        with closing(connect(database.url)) as books, closing(sqlite3.connect(copy)) as to:
            books.backup(to)
        migrated = Database(URL.create("sqlite", database=str(copy)).render_as_string())
        bounds.limit(migrated)
        migrate.upgrade(migrated)
    except (sqlite3.Error, DBAPIError, UnicodeDecodeError, revisions.NotMigrated) as error:
        raise NotVerified(f"{older}; a copy can't be migrated: {error}") from error
    remark(f"The ledger is older: {older}. A copy was migrated and verified; it was left as it is.")
    return migrated


def _readable(url: URL, folder: Path, remark: Remark) -> URL:
    """Return the URL by which books can be read here without being written."""
    if url.get_backend_name() != "sqlite":
        return url
    file = sqlite_file(url).absolute()
    try:
        if not file.is_file():
            raise NotVerified("there is none.")
    except PermissionError as error:
        raise NotVerified(f"{file} can't be read: {error.strerror}.") from error
    for flag in ("mode=ro", "immutable=1"):
        waiting = Path(f"{file}-wal")
        if flag == "immutable=1" and waiting.is_file() and waiting.stat().st_size:
            break  # what was saved last is in it, and would not be seen
        found = _read_only(file, flag)
        try:
            with closing(connect(found)) as books:
                books.execute("SELECT count(*) FROM sqlite_master")
            return found
        except sqlite3.OperationalError:
            continue  # no list of readers can be made beside it
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return found  # it is damaged, which is to be told and not to end here
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
