"""Staging: the club of an archive in a temporary SQLite ledger, verified before anything is imported.

The ledger has the schema that the archive names, and is then migrated like any other. Its file is as SQLite
has just written it, so the audit leaves out SQLite's own check.
"""

# ruff: noqa: S608 - the names of tables are constants

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir
from typing import BinaryIO, Final, cast

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from ledger.books.transactions import Database
from ledger.database.revisions import NEWEST, REVISIONS
from ledger.keeping.archive import lines
from ledger.keeping.archive.filling import Filling, Header
from ledger.keeping.archive.lines import Damaged, OtherVersion
from ledger.keeping.migrate import upgrade
from ledger.keeping.planning import write_statistics
from ledger.runtime.files import stale
from ledger.runtime.jobs import without_collector
from ledger.services.audit import bounds, differences
from ledger.services.audit.tables import VERSION, made_by_migrations, parts
from ledger.words.problems import Invalid, Unreachable, counted

FIRST_SCHEMA: Final = "0029"
"""The first schema with archives."""

_FAST = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000"
"""The settings of SQLite while a temporary file is filled, which no crash needs to spare."""

MOST_DIFFERENCES: Final = 3
"""The number of the audit's differences that a refusal names."""

_PREFIX: Final = "solo-ledger-import-"

_LINES: Final = 100
"""The number of lines read between two reports of progress."""

Progress = Callable[[int, int], None]
"""A callback with the number of entries done and of all; each is done twice, as it is read and verified."""


class ArchiveRefused(Invalid):
    """Raised for an archive that is not imported; the message gives the reason, and nothing was written."""


@contextmanager
def staged(file: BinaryIO, progress: Progress, jobs: int = 1) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a temporary ledger with the verified club of an archive.

    Raises ``ArchiveRefused``.
    """
    _remove_stale_folders()
    with TemporaryDirectory(prefix=_PREFIX) as folder:
        place = Path(folder, "staging.sqlite")
        database = Database(URL.create("sqlite", database=str(place)).render_as_string())
        bounds.limit(database)
        try:
            with without_collector():
                entries = _fill(database, place, file, progress)
                _verify(database, lambda checked, _: progress(entries + checked, 2 * entries), jobs)
        except Damaged as error:
            advice = (
                "The file is damaged or was changed since it was written; nothing was imported."
            )
            if isinstance(error, OtherVersion):
                advice = "Nothing was imported."
            elif error.number == 1:
                advice = "Is it a file that solo-ledger export wrote? Nothing was imported."
            message = f"Line {error.number:,} of the archive: {error.reason}. {advice}"
            raise ArchiveRefused(message) from error
        except (sqlite3.OperationalError, DBAPIError, Unreachable) as error:
            reason = getattr(error, "orig", error)
            raise ArchiveRefused(
                f"The archive can't be checked in {folder} ({reason}); nothing was imported."
            ) from error
        finally:
            database.close()
        with closing(sqlite3.connect(place)) as connection:
            yield connection


def _remove_stale_folders() -> None:
    """Remove the folders of imports that were killed long ago."""
    for folder in stale(Path(gettempdir()), f"{_PREFIX}*"):
        with suppress(OSError):  # another import has removed it, or it is another user's
            rmtree(folder)


def _fill(database: Database, place: Path, file: BinaryIO, progress: Progress) -> int:
    """Fill a new ledger with the club of an archive, and return the number of its entries."""
    archive = lines.read(cast("BinaryIO", _Counted(file)))
    header = Header(next(archive))
    if header.schema not in REVISIONS or header.schema < FIRST_SCHEMA:
        raise ArchiveRefused(
            f"The archive has schema {header.schema[:40]}, and this version reads {FIRST_SCHEMA} to "
            f"{NEWEST}: install the version that wrote it, or a newer one. Nothing was imported."
        )
    if header.schema == NEWEST:
        _create_tables(place)
    else:
        upgrade(database, header.schema)
        database.close()
    with closing(sqlite3.connect(place, isolation_level=None)) as connection:
        connection.executescript(_FAST)
        connection.execute("BEGIN")
        filling = Filling(connection, header)
        for line in archive:
            filling.add(line)
            if line.number % _LINES == 0:
                progress(filling.entries, 2 * max(filling.entries, header.last_entry))
        connection.execute("COMMIT")
    upgrade(database)
    with database.engine.begin() as planned:
        write_statistics(planned)
    return filling.entries


def _create_tables(place: Path) -> None:
    """Create what all migrations make, in about a hundredth of their time."""
    made = made_by_migrations("sqlite")
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.executescript(_FAST)  # each definition is a transaction of its own
        for name in sorted(made, key=lambda name: not name.startswith("table ")):
            definition = made[name]
            if name.startswith("table "):
                columns = sorted(parts(definition), key=lambda part: part.startswith("CONSTRAINT "))
                definition = f"{definition.partition('(')[0]}({', '.join(columns)})"
            connection.execute(definition)
        connection.execute(f"INSERT INTO {VERSION} VALUES (?)", (NEWEST,))


def _verify(database: Database, progress: Progress, jobs: int) -> None:
    """Raise ``ArchiveRefused`` if the audit finds a difference."""
    with database.one_moment() as connection:
        found = differences(connection, progress, jobs)
        first = list(map(str, islice(found, MOST_DIFFERENCES)))
        more = sum(1 for _ in islice(found, 1_000))
    if not first:
        return
    also = f" (and {counted(more, 'more difference')})" if more else ""
    raise ArchiveRefused(
        f"The archive contradicts itself. {'; '.join(first)}{also}. Nothing was imported."
    )


class _Counted:
    """A stream that knows its position by counting, as pipes and uploads do not."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._position = file, 0

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most ``size``."""
        data = self._file.read(size)
        self._position += len(data)
        return data

    def tell(self) -> int:
        """Return the number of bytes read."""
        return self._position
