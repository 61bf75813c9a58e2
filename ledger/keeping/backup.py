"""Backups of the ledger: complete, checked, dated, and limited in number.

A copy is made under a temporary name, checked, and flushed to the disk. Only then it gets its name, which
contains the time of its start (UTC) and the beginning of its SHA-256. A failed or interrupted backup leaves
earlier ones alone; the next backup removes its remains.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from sqlalchemy import create_engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError

from ledger.database.connecting import sqlite_file
from ledger.keeping import postgres
from ledger.keeping.postgres import CopyFailed
from ledger.runtime.clock import now
from ledger.runtime.config import Settings
from ledger.runtime.files import folder, private, to_disk
from ledger.runtime.signing import SigningKey

_NAME = re.compile(r"(?P<ledger>.+)-(?P<at>\d{8}T\d{6}Z)-(?P<digest>[0-9a-f]{16})\.(sqlite|dump)")
_AT = "%Y%m%dT%H%M%SZ"
_PARTIAL = ".partial-"
_LONGEST_TURN = 3600.0
"""The seconds to wait for another process's backup."""

_LAST_ENTRIES = (
    "FROM journal_entry "
    "WHERE (club_id, id) IN (SELECT club_id, max(id) FROM journal_entry GROUP BY club_id) "
    "ORDER BY club_id"
)
HEADS_OF_FILE = f"SELECT digest {_LAST_ENTRIES}"
"""Selects the digest of each club's last entry, which covers everything before it."""

SIGNED_BY = " signed by "
"""Separates a head and the public key of its signature in a backup's file of heads."""


class NoBackup(RuntimeError):
    """No backup was made; the message gives the reason. Earlier backups are unchanged."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup's starting time, its file, and the beginning of the SHA-256 of its content."""

    made_at: datetime
    file: Path
    digest: str

    @classmethod
    def of(cls, file: Path) -> Self | None:
        """Parse a backup's name; return None for another file's."""
        if not (match := _NAME.fullmatch(file.name)):
            return None
        try:
            made_at = datetime.strptime(match["at"], _AT).replace(tzinfo=UTC)
        except ValueError:  # a thirteenth month
            return None
        return cls(made_at, file, match["digest"])

    @property
    def heads(self) -> Path:
        """The path of the file with the ledger's heads, one per line, for ``verify``; it may be missing."""
        return self.file.with_suffix(".heads")

    @property
    def intact(self) -> bool:
        """Whether the file's content matches the digest in its name; this reads all of it."""
        return _digest(self.file) == self.digest


@dataclass(frozen=True, slots=True)
class Backups:
    """The backups of the ledger at ``url`` in a folder, of which ``limit`` stay; all of them with 0."""

    url: URL
    folder: Path
    limit: int
    signer: SigningKey | None = None

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the backups for the settings."""
        signer = SigningKey.from_text(settings.signing_key) if settings.signing_key else None
        return cls(make_url(settings.database_url), settings.backups, settings.backups_kept, signer)

    def list_all(self) -> list[Backup]:
        """Return this ledger's backups, newest first; those that a wrong clock dated in the future come last.

        Their true age is unknown. If they counted as the newest, good ones would be removed instead.
        """
        files, at = list(self.folder.glob("*")) if self.folder.is_dir() else [], now()
        ours = [backup for backup in map(Backup.of, files) if backup and self._is_ours(backup)]
        age = {one: (one.made_at <= at, one.made_at, _written_at(one.file)) for one in ours}
        return sorted(ours, key=age.__getitem__, reverse=True)

    def make(self, *, unless_since: datetime | None = None) -> Backup:
        """Make and return a new backup, then remove the oldest beyond the limit; writers can go on.

        It waits for another process's backup; one started since ``unless_since`` is returned instead. Raises
        ``NoBackup``.
        """
        if self.url.get_backend_name() == "sqlite" and not sqlite_file(self.url).exists():
            raise NoBackup(f"No backup was made: there is no ledger in {sqlite_file(self.url)}.")
        try:
            folder(self.folder)
            with self._turn():
                existing = self.list_all()
                since = unless_since and made_between(
                    existing, unless_since.replace(microsecond=0), now()
                )
                if since:
                    return since[0]
                self._clear_up()
                new = self._make()
                others = [backup for backup in existing if backup != new]
                for old in others[self.limit - 1 :] if self.limit else ():
                    old.file.unlink()
                    old.heads.unlink(missing_ok=True)
                return new
        except (OSError, sqlite3.Error, CopyFailed) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise NoBackup(f"No backup was made in {self.folder}: {reason.rstrip('.')}.") from error

    def _make(self) -> Backup:
        at = now().strftime(_AT)
        partial = private(self.folder / f"{_PARTIAL}{at}", self._owned_like)
        try:
            if self.url.get_backend_name() == "sqlite":
                _copy(sqlite_file(self.url), partial)
                heads = _heads(URL.create("sqlite", database=str(partial)), self.signer)
            else:
                heads = _heads(self.url, self.signer)
                postgres.dump(self.url, partial)
            to_disk(partial)
            name = f"{self._ledger}-{at}-{_digest(partial)}.{self._ending}"
            file = partial.replace(self.folder / name)
            made = Backup.of(file)
            assert made is not None
            made.heads.unlink(missing_ok=True)
            private(made.heads, self._owned_like).write_text("".join(f"{head}\n" for head in heads))
            to_disk(self.folder)
        finally:
            self._clear_up()
        return made

    def _clear_up(self) -> None:
        """Remove the remains of interrupted backups; only one runs at a time."""
        for remains in self.folder.glob(f"{_PARTIAL}*"):
            remains.unlink(missing_ok=True)

    @property
    def _ledger(self) -> str:
        """The ledger's name in the names of its backups."""
        name = Path(self.url.database or "").stem
        return re.sub(r"[^\w.-]", "_", name) or "ledger"

    @property
    def _owned_like(self) -> Path:
        """A path owned by the service's user: the SQLite file or, for PostgreSQL, the folder of backups."""
        return sqlite_file(self.url) if self._ending == "sqlite" else self.folder

    @property
    def _ending(self) -> str:
        return "sqlite" if self.url.get_backend_name() == "sqlite" else "dump"

    def _is_ours(self, backup: Backup) -> bool:
        name = _NAME.fullmatch(backup.file.name)
        return name is not None and (name["ledger"], name[4]) == (self._ledger, self._ending)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Exclude other processes, by a lock that every system releases when its process dies."""
        file = self.folder / ".turn"
        with suppress(FileExistsError):
            private(file, self._owned_like)
        lock = sqlite3.connect(file, timeout=_LONGEST_TURN, isolation_level=None)
        with closing(lock):
            lock.execute("BEGIN EXCLUSIVE")
            yield


def _written_at(file: Path) -> int:
    """Return a file's modification time, which orders backups of the same second; 0 if it has gone."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:  # another process has just removed it
        return 0


def made_between(backups: Sequence[Backup], since: datetime, until: datetime) -> list[Backup]:
    """Return the backups started between two times, without those that a wrong clock dated later."""
    return [backup for backup in backups if since <= backup.made_at <= until]


def damage(copy: sqlite3.Connection) -> str | None:
    """Return the first fault that SQLite finds in a file's pages and indexes, or None."""
    result = str(copy.execute("PRAGMA integrity_check(1)").fetchone()[0])
    return None if result == "ok" else " ".join(result.split())


def _copy(file: Path, to: Path) -> None:
    """Copy a database file that others may be writing, at one moment. Raises ``CopyFailed`` if damaged."""
    with (
        closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)) as source,
        closing(sqlite3.connect(to)) as copy,
    ):
        source.backup(copy)  # in one step: otherwise every save would restart it
        copy.execute("PRAGMA journal_mode = DELETE")  # so that everything is in this file
        if fault := damage(copy):
            raise CopyFailed(f"the ledger is damaged ({fault})")


def _heads(url: URL, signer: SigningKey | None) -> list[str]:
    """Return the heads, each with the public key of ``signer`` if it signed it; none if unreadable."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            # SELECT *, as a database before its migration may have no signatures.
            rows = connection.exec_driver_sql(f"SELECT * {_LAST_ENTRIES}").mappings()
            return [_head(row, signer) for row in rows]
    except DBAPIError:
        return []
    finally:
        engine.dispose()


def _head(entry: Mapping[Any, Any], signer: SigningKey | None) -> str:
    digest, signature = str(entry["digest"]), entry.get("signature")
    if signer and signature and signer.verifies(bytes(signature), entry["club_id"], digest):
        return f"{digest}{SIGNED_BY}{signer.public}"
    return digest


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:16]
