"""Heads of a ledger stored outside it: the digest of each club's last entry at some time.

Each entry's digest covers the one before it, so a head that is still in the chain proves that nothing before
it was changed or removed. Reports print heads, and each backup has a file of them.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from ledger.keeping.backup import HEADS_OF_FILE, SIGNED_BY, Backups
from ledger.runtime.config import Settings
from ledger.services.audit import Head
from ledger.services.audit.bounds import StepLimit
from ledger.services.audit.signatures import SHORTEST_HEAD

_HEAD = re.compile(rf"\b([0-9a-f]{{64}})\b(?:{SIGNED_BY}([\w+/]{{43}}=))?")
_TYPED = re.compile(rf"[0-9a-f]{{{SHORTEST_HEAD},64}}")
_PRINTED = re.compile(rb"solo-ledger head ([0-9a-f]{64})")


class NoHead(ValueError):
    """An argument is neither a head nor a file with one; the message explains it."""


def read(expected: str) -> list[Head]:
    """Return a typed head, or all in a PDF, backup or file of heads. Raises ``NoHead`` if there is none."""
    typed = "".join(expected.lower().split())
    if _TYPED.fullmatch(typed):
        return [Head(typed, "expected head")]
    file = Path(expected)
    try:
        heads = sorted(set(_in_file(file)))
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise NoHead(
            f"{expected} is not a head ({SHORTEST_HEAD} to 64 digits and letters a to f), nor a file that "
            f"can be read: {reason}"
        ) from error
    if not heads:
        raise NoHead(f"{file} holds no head of a ledger")
    return [Head(digest, file.name, signed_by) for digest, signed_by in heads]


def _in_file(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the heads in a database, PDF or text file, each with its signature's public key or an empty text.

    Raises ``OSError`` or ``sqlite3.Error`` if the file can't be read.
    """
    with file.open("rb") as stream:
        start = stream.read(16)
    if start.startswith(b"SQLite format 3"):
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as database:
            StepLimit(database)
            yield from ((str(digest), "") for (digest,) in database.execute(HEADS_OF_FILE))
    elif start.startswith(b"%PDF"):
        yield from ((digest.decode(), "") for digest in _PRINTED.findall(file.read_bytes()))
    else:
        yield from _HEAD.findall(file.read_text("utf-8", "replace"))


def of_newest(settings: Settings) -> list[Head]:
    """Return the heads of the newest backup that has a file of them. Raises ``NoHead`` if it can't be read.

    The list is empty without such a backup, or if it was made before the first entry.
    """
    backups = Backups.of(settings)
    try:
        if backups.folder.is_dir():
            next(backups.folder.iterdir(), None)  # fails if this user can't list it
        for backup in backups.list_all():
            if backup.heads.is_file():
                return read(str(backup.heads)) if backup.heads.stat().st_size else []
    except PermissionError as error:
        raise NoHead(f"{error.filename} can't be read: {error.strerror}") from error
    return []


def signing_keys(settings: Settings) -> list[str]:
    """Return the public keys that signed backups' heads, newest first, up to a file that can't be read."""
    keys: dict[str, None] = {}
    with suppress(OSError):
        for backup in Backups.of(settings).list_all():
            if backup.heads.is_file():
                keys.update((key, None) for _, key in _in_file(backup.heads) if key)
    return list(keys)
