"""Examination of an installation: a line for each part, with the remedy for each fault.

Nothing is changed: no ledger, folder or key is created, and no ledger is migrated.
"""

import os
import platform
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.connecting import sqlite_file
from ledger.database.models import metadata
from ledger.database.replication import replication
from ledger.database.revisions import NEWEST, NotMigrated, is_ours
from ledger.keeping import known_keys, ownerless
from ledger.keeping.backup import Backups, damage
from ledger.keeping.ready import WRITE_WITHIN, try_to_write
from ledger.report import fonts
from ledger.runtime import config
from ledger.runtime.clock import now
from ledger.runtime.config import BadSetting, Settings
from ledger.services.audit.signatures import UnknownSignatures, is_known
from ledger.words.problems import Problem, Unreachable, counted

TESTED_PYTHONS = ("3.11", "3.12", "3.13")
"""The tested versions of Python, the newest last."""

LEAST_FREE = 200_000_000
"""The bytes to be free for the ledger and its backups; twice the ledger's size if that is more."""
CLOCKS_APART = timedelta(minutes=2)
OVERDUE = timedelta(hours=26)
"""The age above which the newest daily backup is late."""


_REPLICATION_REMEDY = "see patronictl list, or pg_stat_replication and synchronous_standby_names"

ENDS_SOON = timedelta(days=180)
"""The time before an authority's end in which the operator has to tell the players."""


class Finding(NamedTuple):
    """A part, its ``state`` (``ok``, ``WARN`` or ``MEND``), and a text with the remedy."""

    part: str
    state: str
    text: str

    @property
    def is_well(self) -> bool:
        """Whether nothing has to be mended; true also for a warning."""
        return self.state != "MEND"


class Ill(Exception):
    """A fault; the message names it and the remedy."""

    state = "MEND"


class Doubtful(Ill):
    """A possible fault; the message gives the remedy."""

    state = "WARN"


def examine(env: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    """Yield a finding for each part; an error in one is its finding and doesn't stop the others.

    With invalid settings there is only their finding.
    """
    try:
        settings = config.load(env, make=False)
        database = Database(settings.database_url)
    except Exception as error:
        yield Finding("settings", "MEND", _message(error))
        return
    checks: dict[str, Callable[[], str]] = {
        "python": _python,
        "settings": lambda: _settings(env),
        "disk": lambda: _disk(settings, database),
        "database": lambda: _database(settings, database),
        "integrity": lambda: _integrity(settings, database),
        **({} if database.is_sqlite else {"replication": lambda: _replication(database)}),
        "migrations": lambda: _migrations(database),
        "signing": lambda: _signing(settings, database),
        "owners": lambda: _owners(database),
        "clock": lambda: _clock(database),
        "https": lambda: _https(settings),
        "fonts": _fonts,
        "backups": lambda: _backups(settings),
    }
    for part, check in checks.items():
        try:
            yield Finding(part, "ok", check())
        except Exception as error:
            yield Finding(part, getattr(error, "state", "MEND"), _message(error))
    database.close()


def _message(error: Exception) -> str:
    match error:
        case Ill() | BadSetting() | NotMigrated():
            message = str(error)
        case Unreachable() | DBAPIError():
            reason = error.why if isinstance(error, Unreachable) else error.orig
            message = f"{reason}; is it running, and LEDGER_DATABASE_URL the right place?"
        case Problem():
            message = error.message
        case _:
            message = f"{type(error).__name__}: {error}"
    return " ".join(message.split())


def _python() -> str:
    version = platform.python_version()
    if version.rpartition(".")[0] not in TESTED_PYTHONS:
        raise Doubtful(
            f"{version} is not one that Solo Ledger was tested on; if something fails, install it with "
            f"Python {TESTED_PYTHONS[-1]}"
        )
    return version


def _settings(env: Mapping[str, str]) -> str:
    if unknown := config.unknown(env):
        raise Ill(f"{', '.join(unknown)}: no such setting; the README lists them")
    return ", ".join(config.present(env)) or "none given, all defaults"


def _disk(settings: Settings, database: Database) -> str:
    file = _file(database)
    if file and os.name == "posix":
        _same_owner(file)
    needed = max(LEAST_FREE, 2 * file.stat().st_size if file else 0)
    least = None
    for place in (file.parent if file else settings.data_dir, settings.backups):
        folder = next(path for path in (place, *place.parents) if path.is_dir())
        if not os.access(folder, os.W_OK):
            raise Ill(f"{folder} can't be written; give it to the user that runs the service")
        free = shutil.disk_usage(folder).free
        least = free if least is None else min(least, free)
        if free < needed:
            raise Ill(
                f"{free // 10**6:,} MB free at {folder}, {needed // 10**6:,} MB are needed; remove something "
                "there, run solo-ledger prune, or name another LEDGER_BACKUP_DIR"
            )
    return f"{(least or 0) // 10**6:,} MB free"


def _same_owner(file: Path) -> None:
    """Raise ``Ill`` if a file beside the ledger has another owner than the ledger."""
    patterns = (
        f"{file.name}*",
        "signing-key",
        "secret-key",
        "https",
        "https/*",
        "backups",
        "backups/*",
    )
    for path in (path for pattern in patterns for path in file.parent.glob(pattern)):
        try:
            is_foreign = path.stat().st_uid != file.stat().st_uid
        except FileNotFoundError:  # the service has just removed it
            continue
        if is_foreign:
            raise Ill(
                f"{path} belongs to another user than the ledger, and the service can't use it; "
                f"chown --reference={file} {path}"
            )


def _database(settings: Settings, database: Database) -> str:
    file = _file(database)
    if database.is_sqlite:
        if file is None:
            raise Ill(
                f"there is none in {settings.database_place}; solo-ledger serve makes one, or "
                "LEDGER_DATABASE_URL names another"
            )
        if os.name == "posix" and file.stat().st_mode & 0o077:
            raise Ill(f"others on this machine can read it: chmod 600 {file}*")
        if not os.access(file, os.W_OK):
            raise Ill(
                f"{file} is read-only; give it to the user that runs the service: chown, and chmod 600"
            )
    try_to_write(database, WRITE_WITHIN)
    return f"{settings.database_place} can be read and written"


def _integrity(settings: Settings, database: Database) -> str:
    if not database.is_sqlite:
        return "PostgreSQL checks its own pages; solo-ledger verify recomputes what is in them"
    file = _file(database)
    if file is None:
        return "nothing to look at"
    mend = "restore a backup: solo-ledger restore FILE --to new.sqlite"
    if backups := Backups.of(settings).list_all():
        mend = mend.replace("FILE", str(backups[0].file))
    try:
        with closing(sqlite3.connect(file)) as connection:
            fault = damage(connection)
            broken = connection.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        raise Ill(f"{error}; {mend}") from error
    if fault or broken:
        raise Ill(f"{fault or f'a row of {broken[0]} refers to nothing'}; {mend}")
    return "every page and index is sound; solo-ledger verify recomputes what is in them"


def _replication(database: Database) -> str:
    with database.one_moment() as connection:
        state = replication(connection)
    if state.fault:
        raise Ill(f"{state.node}: {state.fault}; {_REPLICATION_REMEDY}")
    if not state.is_visible:
        user = database.url.username
        raise Doubtful(
            f"{state.node}: its standbys can't be seen; GRANT pg_read_all_stats TO {user}"
        )
    required = "required" if state.is_required else "not required"
    return f"{state.node}; standbys: {state.lag}; synchronous replication is {required}"


def _migrations(database: Database) -> str:
    at = revisions.at(database)
    if at is not None and not is_ours(at):
        raise Ill(
            f"the ledger is at {at}, this version's is {NEWEST}; solo-ledger serve makes a backup and "
            "migrates it"
        )
    return f"at {at}" if at else "nothing to look at"


def _signing(settings: Settings, database: Database) -> str:
    if not settings.signing_key and revisions.at(database) is None:
        return "nothing to look at"
    keys, unknown = known_keys.from_settings(settings), UnknownSignatures()
    for entry_id, club_id, digest, signature in _signatures(database):
        if is_known(keys, signature, club_id, digest):
            unknown.end(club_id)
        else:
            unknown.add(club_id, entry_id)
    if not settings.signing_key:
        signatures = counted(unknown.count, "signature")
        remedy = known_keys.remedy(settings)
        raise Ill(f"there is no signing key, and {signatures} can't be checked; {remedy}")
    if unknown.count:
        raise Ill(unknown.message({}, known_keys.remedy(settings)))
    return f"entries are signed; the public key is {keys[0].public}"


def _signatures(database: Database) -> Iterator[tuple[int, int, str, object]]:
    """Yield id, club, digest and signature of each entry signed here; none from an older revision.

    The entries that came with an imported club are signed by its origin's key, which ``verify`` checks.
    """
    if not is_ours(revisions.at(database)):
        return
    entries, origins = (metadata.tables[name].c for name in ("journal_entry", "club_origin"))
    imported = select(func.max(origins.last_entry_id)).where(origins.club_id == entries.club_id)
    query = select(entries.id, entries.club_id, entries.digest, entries.signature)
    query = query.where(entries.id > func.coalesce(imported.scalar_subquery(), 0))
    with database.one_moment() as connection:
        signed = query.where(entries.signature.is_not(None)).order_by(entries.club_id, entries.id)
        for row in connection.execution_options(yield_per=1_000).execute(signed):
            yield tuple(row)


def _owners(database: Database) -> str:
    if not is_ours(revisions.at(database)):
        return "nothing to look at"
    with database.read() as session:
        if notice := ownerless.notice(session):
            raise Ill(notice)
    return "every club has one"


def _clock(database: Database) -> str:
    here = now()
    if revisions.at(database) is not None:
        entries, clubs = metadata.tables["journal_entry"], metadata.tables["club"]
        newest = select(entries.c.entered_at).where(entries.c.club_id == clubs.c.id)
        newest = newest.order_by(entries.c.id.desc()).limit(1)
        with database.engine.connect() as connection:
            last = connection.scalar(select(func.max(newest.scalar_subquery())).select_from(clubs))
            server = here if database.is_sqlite else connection.scalar(text("SELECT now()"))
        if last and last > here + CLOCKS_APART:
            raise Ill(
                f"it shows {here:%Y-%m-%d %H:%M} UTC, and the newest entry is of {last:%Y-%m-%d %H:%M}; "
                "set it: timedatectl set-ntp true"
            )
        if abs(server - here) > CLOCKS_APART:
            raise Ill(
                f"the database's is {abs(server - here)} apart; set both: timedatectl set-ntp true"
            )
    return f"{here:%Y-%m-%d %H:%M} UTC"


def _https(settings: Settings) -> str:
    # cryptography takes a while to load, and most installations have no certificates.
    folder = settings.folder / "https"
    stored = None
    if folder.exists():
        from ledger.keeping import certificates

        try:
            stored = certificates.load(folder)
        except certificates.NoCertificate as error:
            raise Ill(str(error)) from error
    if stored is None:
        return "no certificates; serve --lan --https makes them"
    if os.name == "posix":
        for file in folder.iterdir():
            if file.stat().st_mode & 0o077:
                raise Ill(f"others on this machine can read the key {file}: chmod 600 {file}")
    authority, here = stored.authority, now()
    if here < authority.begins:
        raise Ill(
            f"the certificate authority is valid from {authority.begins:%Y-%m-%d}, and this machine's clock "
            f"shows {here:%Y-%m-%d}; set it: timedatectl set-ntp true"
        )
    if authority.ends - here < ENDS_SOON:
        raise Doubtful(
            f"the certificate authority ends on {authority.ends:%Y-%m-%d}; then remove {folder}, start serve "
            "again, and let every phone trust the new one"
        )
    if stored.ends is None:
        return f"an authority until {authority.ends:%Y-%m-%d}; serve --lan --https issues the certificate"
    if stored.ends < here:
        raise Doubtful(
            f"the certificate ended on {stored.ends:%Y-%m-%d}; serve --lan --https issues another"
        )
    return (
        f"a certificate until {stored.ends:%Y-%m-%d} for {', '.join(stored.names)}, by an authority until "
        f"{authority.ends:%Y-%m-%d}"
    )


def _fonts() -> str:
    names = [fonts.REGULAR, fonts.BOLD, *(font.name for font in fonts.FALLBACKS)]
    for name in names:
        try:
            fonts.read(name)
        except Exception as error:
            raise Ill(f"{name} can't be read ({error}); install Solo Ledger again") from error
    return f"{len(names)} fonts for the PDF"


def _backups(settings: Settings) -> str:
    if not settings.backups_kept:
        return "left to you: LEDGER_BACKUPS_KEPT is 0"
    backups = Backups.of(settings).list_all()
    if not backups:
        raise Ill(
            f"there is none in {settings.backups}; run solo-ledger backup, or set LEDGER_BACKUP_AT=03:30"
        )
    newest = backups[0]
    if not newest.intact:
        raise Ill(f"{newest.file} was changed or damaged; remove it and run solo-ledger backup")
    if newest.made_at > now():
        raise Ill(
            f"all {len(backups)} are dated after this machine's clock; set the clock, or run "
            "solo-ledger backup"
        )
    if settings.backup_at is not None and now() - newest.made_at > OVERDUE:
        raise Ill(
            f"the newest is of {newest.made_at:%Y-%m-%d %H:%M} UTC, and one is due each day; "
            "is serve running? solo-ledger backup makes one now"
        )
    return (
        f"{len(backups)} in {settings.backups}, the newest of {newest.made_at:%Y-%m-%d %H:%M} UTC"
    )


def _file(database: Database) -> Path | None:
    """Return the ledger's SQLite file, or None if it is missing or the database PostgreSQL."""
    file = sqlite_file(database.url)
    return file if database.is_sqlite and file.exists() else None
