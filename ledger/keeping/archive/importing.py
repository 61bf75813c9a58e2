"""Importing the archive of a club into a ledger, in one write transaction.

The club is a new one here, or the copy that an earlier archive left, which gets the entries that follow.
"""

# ruff: noqa: S608 - names of tables and columns come from the schema

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any, BinaryIO, Final, NamedTuple

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from ledger.books.chain import origin_statement
from ledger.books.transactions import Database
from ledger.database import json
from ledger.database.access import Access, Role
from ledger.database.models import metadata
from ledger.database.narrowing import Scope
from ledger.database.scope import NoSuchClub, ScopedSession, narrow
from ledger.keeping.archive.copying import OutOfOrder, copy_rows
from ledger.keeping.archive.staging import ArchiveRefused, Progress, staged
from ledger.runtime.clock import now
from ledger.runtime.secrets import NOBODY
from ledger.services.club import links
from ledger.services.club.clubs import NameTaken
from ledger.services.common import names

AUTHOR: Final = "import"
"""The author of the owner's link."""

_SETTINGS = (
    *("name", "devices_epoch", "currency", "denominations", "confirm_from", "created_at"),
    "last_ids",
)

_CLUB, _NAME, _ENTRY, _ORIGIN = (
    metadata.tables[table] for table in ("club", "club_name", "journal_entry", "club_origin")
)


@dataclass(frozen=True, slots=True)
class Imported:
    """A club after an import: its number and name here, the number of entries added, and an owner's link.

    ``key`` is the link's; only a new club gets one.
    """

    club_id: int
    name: str
    entries: int
    key: str | None = None


def import_club(
    db: Database,
    file: BinaryIO,
    secret: str,
    *,
    name: str = "",
    adds: bool = True,
    progress: Progress = lambda _entries, _total: None,
    jobs: int = 1,
) -> Imported:
    """Import the archive in a file, after it was verified in a temporary ledger; return the club.

    Raises ``ArchiveRefused`` for an archive that is damaged, contradicts itself or the club that is here, and
    ``NameTaken`` if another club has the name.

    Args:
        db: The ledger.
        file: The archive, compressed.
        secret: The installation's secret, from which the key of the owner's link is derived.
        name: The name of a new club here, if not the archive's.
        adds: Whether entries may be added to a copy that is here already; else the archive is refused then.
        progress: Called with the progress of reading and verifying.
        jobs: The number of processes that score hands.
    """
    if name:
        name = names.clean(name, "name", "The club's name")
    with staged(file, progress, jobs) as source:
        try:
            return _import(db, source, secret, name, adds=adds)
        except (DBAPIError, OutOfOrder, NoSuchClub) as error:
            reason = getattr(error, "orig", error)
            raise ArchiveRefused(
                f"The ledger refused the archive ({reason}). Nothing was imported."
            ) from error


class _Present(NamedTuple):
    """The club that has the archive's first entry here."""

    id: int
    name: str


def _import(
    db: Database, source: sqlite3.Connection, secret: str, name: str, *, adds: bool
) -> Imported:
    """Copy the club in ``source`` into the ledger. Raises as ``import_club`` does."""
    with db.write() as session:
        connection = session.get_bind()
        present = _present(connection, source)
        if present is None:
            present, last = _new_club(connection, source, name), 0
            narrow(session, Scope(present.id))
        else:
            if name not in ("", present.name):
                raise ArchiveRefused(
                    f"“{present.name}” is here already, and keeps its name: an import names new clubs only. "
                    "Nothing was imported."
                )
            narrow(session, Scope(present.id))
            session.lock()
            last = _last_entry(connection, present.id)
            if not _adds_to(connection, source, present, last):
                return Imported(*present, entries=0)
            if not adds:
                raise ArchiveRefused(
                    f"“{present.name}” is here already, and this archive has more entries; only whoever runs "
                    "this service can add them, with solo-ledger import. Nothing was imported."
                )
        copy_rows(source, session.driver, present.id, is_new=not last)
        _store_origins(session, source, present.id)
        _store_settings(session, source, present.id)
        owner = Access(present.id, Role.OWNER, AUTHOR)
        key = None if last else links.add_for_import(session, owner, secret)
        added = "SELECT count(*) FROM journal_entry WHERE id > ?"
        (entries,) = source.execute(added, (last,)).fetchone()
        return Imported(*present, entries, key)


def _present(connection: Connection, source: sqlite3.Connection) -> _Present | None:
    """Return the club with the archive's first entry that is, and has not left, here."""
    (first,) = source.execute("SELECT digest FROM journal_entry ORDER BY id LIMIT 1").fetchone()
    entry = select(_ENTRY.c.digest).where(_ENTRY.c.club_id == _CLUB.c.id).order_by(_ENTRY.c.id)
    club = select(_CLUB.c.id, _CLUB.c.name).where(
        _CLUB.c.moved_to.is_(None), entry.limit(1).scalar_subquery() == first
    )
    row = connection.execute(club).first()
    return _Present(*row) if row else None


def _new_club(connection: Connection, source: sqlite3.Connection, name: str) -> _Present:
    """Insert the club, which no passcode opens. Raises ``NameTaken``."""
    values = _settings(source)
    name = name or values["name"]
    values |= {"name": name, "name_key": names.key(name)}
    values["passcode_hash"] = NOBODY
    inserted = insert(_CLUB).values(values).returning(_CLUB.c.id)
    club_id = connection.execute(inserted).scalar_one()
    try:
        connection.execute(insert(_NAME).values(key=values["name_key"], club_id=club_id))
    except IntegrityError as error:
        raise NameTaken(name=name) from error
    return _Present(club_id, name)


def _settings(source: sqlite3.Connection) -> dict[str, Any]:
    """Return the name, settings and last ids of the club in ``source``."""
    row = source.execute(f"SELECT {', '.join(_SETTINGS)} FROM club").fetchone()
    values: dict[str, Any] = dict(zip(_SETTINGS, row, strict=True))
    for column in ("denominations", "last_ids"):
        values[column] = json.read(values[column])
    values["created_at"] = datetime.fromisoformat(values["created_at"]).replace(tzinfo=UTC)
    return values


def _last_entry(connection: Connection, club_id: int) -> int:
    query = select(func.max(_ENTRY.c.id)).where(_ENTRY.c.club_id == club_id)
    return int(connection.execute(query).scalar_one())


def _adds_to(
    connection: Connection, source: sqlite3.Connection, present: _Present, last: int
) -> bool:
    """Return whether the archive continues the club, which was only written by imports.

    It does not if the club has all entries of the archive. Raises ``ArchiveRefused`` for other differences.
    """
    journal = select(_ENTRY.c.id, _ENTRY.c.digest).where(_ENTRY.c.club_id == present.id)
    ours = connection.execute(journal.order_by(_ENTRY.c.id), execution_options={"yield_per": 1_000})
    theirs = source.execute("SELECT id, digest FROM journal_entry ORDER BY id")
    origins = connection.execute(_origins(present.id)).all()
    imported = origins[-1].last_entry_id if origins else 0
    for our, their in zip_longest(map(tuple, ours), theirs):
        if our == their:
            continue
        if their is None:
            return False
        if imported != last:
            reason = "was continued here after it was imported" if imported else "was not imported"
            raise ArchiveRefused(
                f"“{present.name}” is here already and {reason}, so the archive's entries from {their[0]} on "
                "can't be added to it. Nothing was imported."
            )
        if our is not None:
            raise ArchiveRefused(
                f"“{present.name}” is here already, and the archive contradicts it from entry {our[0]} on. "
                "Nothing was imported."
            )
        _must_agree(origins, source, present)
        return True
    return False


def _must_agree(origins: Sequence[Row[Any]], source: sqlite3.Connection, present: _Present) -> None:
    """Raise ``ArchiveRefused`` if the archive names other origins for the entries that the club has."""
    theirs = source.execute("SELECT number, public_key FROM club_origin ORDER BY id").fetchall()
    if [(origin.number, origin.public_key) for origin in origins] != theirs[: len(origins)]:
        raise ArchiveRefused(
            f"“{present.name}” is here already, and the archive names another club number or key for its "
            "entries. Nothing was imported."
        )


def _origins(club_id: int) -> Select[Any]:
    return select(_ORIGIN).where(_ORIGIN.c.club_id == club_id).order_by(_ORIGIN.c.id)


def _store_origins(session: ScopedSession, source: sqlite3.Connection, club_id: int) -> None:
    """Replace the club's origins by the archive's, each signed by the key of this installation."""
    connection = session.get_bind()
    arrived = {row.id: row.arrived_at for row in connection.execute(_origins(club_id))}
    rows = []
    for number, *values, digest in source.execute(_SIGNED_ORIGINS):
        row = dict(zip(("number", "public_key", "last_entry_id"), values, strict=True))
        row |= {"club_id": club_id, "id": number, "arrived_at": arrived.get(number, now())}
        stated = origin_statement(row["number"], row["public_key"], (row["last_entry_id"], digest))
        row["signature"] = session.signer and session.signer.sign(club_id, stated)
        rows.append(row)
    connection.execute(delete(_ORIGIN).where(_ORIGIN.c.club_id == club_id))
    connection.execute(insert(_ORIGIN), rows)


def _store_settings(session: ScopedSession, source: sqlite3.Connection, club_id: int) -> None:
    """Store the archive's settings of the club, and the higher of its last ids and the archive's."""
    connection, values = session.get_bind(), _settings(source)
    del values["name"]
    stored = connection.execute(select(_CLUB.c.last_ids).where(_CLUB.c.id == club_id)).scalar_one()
    for table, last in stored.items():
        values["last_ids"][table] = max(last, values["last_ids"].get(table, 0))
    connection.execute(update(_CLUB).where(_CLUB.c.id == club_id).values(values))
    session.locked(session.lock(), values["last_ids"])


_SIGNED_ORIGINS = (
    "SELECT club_origin.id, number, public_key, last_entry_id, digest "
    "FROM club_origin JOIN journal_entry ON journal_entry.id = last_entry_id ORDER BY club_origin.id"
)
