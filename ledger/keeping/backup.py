"""Backups of the ledger: each whole, checked and dated, and so many of them.

A copy is made under a name that counts for nothing, checked, and brought to the disk. Only then does it
get its name, which says when it was begun (UTC) and how its SHA-256 begins. A backup that fails leaves
those before it alone, and so does one that is cut short: the next one removes what is left of it.
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
"""Seconds to wait for another process that is making a backup."""


_LAST_ENTRIES = (
    "FROM journal_entry "
    "WHERE id IN (SELECT max(id) FROM journal_entry GROUP BY club_id) ORDER BY club_id"
)
HEADS_OF_FILE = f"SELECT digest {_LAST_ENTRIES}"
"""The digest of each club's last entry: what everything before it is sealed by."""

SIGNED_BY = " signed by "
"""Stands between a head and the public key of its signature in the file beside a backup."""


class NoBackup(RuntimeError):
    """No backup was made; the message says why. Those made before are all still there."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup: when it was begun, and its file, whose contents begin their SHA-256 with ``digest``."""

    made_at: datetime
    file: Path
    digest: str

    @classmethod
    def of(cls, file: Path) -> Self | None:
        """Read what a backup's name says; None where it is not the name of one."""
        if not (said := _NAME.fullmatch(file.name)):
            return None
        made_at = datetime.strptime(said["at"], _AT).replace(tzinfo=UTC)
        return cls(made_at, file, said["digest"])

    @property
    def heads(self) -> Path:
        """The file beside it with the heads of the books, one a line, for ``verify`` to look for later."""
        return self.file.with_suffix(".heads")

    @property
    def intact(self) -> bool:
        """Whether the file still holds what it was given its name for."""
        return _digest(self.file) == self.digest


@dataclass(frozen=True, slots=True)
class Backups:
    """The backups of the ledger at ``url`` in their folder, and how many stay there."""

    url: URL
    folder: Path
    kept: int
    signer: SigningKey | None = None

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Find them by the settings."""
        signer = SigningKey.from_text(settings.signing_key) if settings.signing_key else None
        return cls(make_url(settings.database_url), settings.backups, settings.backups_kept, signer)

    def every(self) -> list[Backup]:
        """Return them, newest first; last of all those that a wrong clock has dated in the future.

        Nobody knows when one of those was made. If it counted as the newest, others would go in its place.
        """
        files, at = list(self.folder.glob("*")) if self.folder.is_dir() else [], now()
        found = [each for each in map(Backup.of, files) if each and self._is_ours(each)]
        age = {each: (each.made_at <= at, each.made_at, _written(each.file)) for each in found}
        return sorted(found, key=age.__getitem__, reverse=True)

    def make(self, *, unless_since: datetime | None = None) -> Backup:
        """Make a backup, and remove the oldest of more than are kept; others may write meanwhile.

        ``unless_since``: one that another process has begun since then does instead. Raises ``NoBackup``.
        """
        if self.url.get_backend_name() == "sqlite" and not sqlite_file(self.url).exists():
            raise NoBackup(f"No backup was made: there is no ledger in {sqlite_file(self.url)}.")
        try:
            folder(self.folder)
            with self._turn():
                made = self.every()
                since = unless_since and made_between(
                    made, unless_since.replace(microsecond=0), now()
                )
                if since:
                    return since[0]
                self._clear_up()
                new = self._make()
                others = [each for each in made if each != new]
                for old in others[self.kept - 1 :] if self.kept else ():
                    old.file.unlink()
                    old.heads.unlink(missing_ok=True)
                return new
        except (OSError, sqlite3.Error, CopyFailed) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise NoBackup(f"No backup was made in {self.folder}: {why.rstrip('.')}.") from error

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
        """Remove what backups that were cut short have left; only one is made at a time."""
        for left in self.folder.glob(f"{_PARTIAL}*"):
            left.unlink(missing_ok=True)

    @property
    def _ledger(self) -> str:
        """What the ledger is called in the names of its backups."""
        name = Path(self.url.database or "").stem
        return re.sub(r"[^\w.-]", "_", name) or "ledger"

    @property
    def _owned_like(self) -> Path:
        """A path that belongs to the user that runs the service."""
        return sqlite_file(self.url) if self._ending == "sqlite" else self.folder

    @property
    def _ending(self) -> str:
        return "sqlite" if self.url.get_backend_name() == "sqlite" else "dump"

    def _is_ours(self, backup: Backup) -> bool:
        name = _NAME.fullmatch(backup.file.name)
        return name is not None and (name["ledger"], name[4]) == (self._ledger, self._ending)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Let one process at a time in: by a lock that every system gives back when a process dies."""
        file = self.folder / ".turn"
        with suppress(FileExistsError):
            private(file, self._owned_like)
        lock = sqlite3.connect(file, timeout=_LONGEST_TURN, isolation_level=None)
        with closing(lock):
            lock.execute("BEGIN EXCLUSIVE")
            yield


def _written(file: Path) -> int:
    """Say when a file was written, to tell two backups that were begun within the same second."""
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:  # another process has just removed it
        return 0


def made_between(made: Sequence[Backup], due: datetime, at: datetime) -> list[Backup]:
    """Return those begun from ``due`` to ``at``; one that a wrong clock has dated later does not count."""
    return [each for each in made if due <= each.made_at <= at]


def damage(copy: sqlite3.Connection) -> str | None:
    """Return the first fault that SQLite finds in all of a file's pages and indexes."""
    said = str(copy.execute("PRAGMA integrity_check(1)").fetchone()[0])
    return None if said == "ok" else " ".join(said.split())


def _copy(file: Path, to: Path) -> None:
    """Copy the file of a database that others may be writing, as it is at one moment, and check the copy."""
    with (
        closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)) as books,
        closing(sqlite3.connect(to)) as copy,
    ):
        books.backup(copy)  # in one step: it would begin again with every save
        copy.execute("PRAGMA journal_mode = DELETE")  # then all of it is in this one file
        if fault := damage(copy):
            raise CopyFailed(f"the ledger is damaged ({fault})")


def _heads(url: URL, signer: SigningKey | None) -> list[str]:
    """Return the heads of books, each with the public key of ``signer`` if that signed it."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            # Books that are about to be migrated may have no signatures.
            found = connection.exec_driver_sql(f"SELECT * {_LAST_ENTRIES}").mappings()
            return [_head(row, signer) for row in found]
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
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()[:16]
