"""Files that must be complete, private, and never replace another."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from ledger.runtime.clock import now

STALE_AFTER: Final = 24 * 60 * 60
"""The seconds after which nobody still writes a temporary file: the largest take minutes."""

_DRAFT: Final = ".solo-ledger-"


def private(file: Path, owned_like: Path | None = None) -> Path:
    """Create an empty file that only its owner can read. Raises ``FileExistsError``.

    If root creates it, it gets the owner of ``owned_like``, by default of its folder. Returns ``file``.
    """
    descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        give(descriptor, owned_like or file.parent)
    finally:
        os.close(descriptor)
    return file


def safe_name(name: str) -> str:
    """Return a file's name with the characters replaced that some systems forbid in one.

    >>> safe_name("Ann/Bob: the hands.csv")
    'Ann-Bob- the hands.csv'
    """
    return "".join("-" if character in '/\\:*?"<>|' else character for character in name)


def folder(place: Path) -> None:
    """Create a folder and its missing parents, readable by their owner only.

    An existing one is left as it is. If root creates them, they get the owner of the lowest existing folder.
    """
    missing = [path for path in (place, *place.parents) if not path.exists()]
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not _is_root():
        return
    for path in missing:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            give(descriptor, missing[-1].parent)
        finally:
            os.close(descriptor)


def give(descriptor: int, owned_like: Path) -> None:
    """If this process is root's, give an open file to another path's owner: the service runs as that user.

    The open file is changed, not its name, so that nobody can put a link in its place first.
    """
    if _is_root():
        owner = owned_like.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


def _is_root() -> bool:
    return getattr(os, "geteuid", os.getpid)() == 0  # Windows has no root


def give_name(file: Path, name: Path) -> None:
    """Rename a file without replacing another. Raises ``FileExistsError``.

    A hard link never replaces a file. On file systems without links (exFAT, some network mounts) an empty
    file reserves the name first and is then replaced.
    """
    try:
        os.link(file, name)
    except FileExistsError:
        raise
    except OSError:
        private(name)
        try:
            file.replace(name)
        except BaseException:
            name.unlink()
            raise
    else:
        file.unlink()


def write_whole(file: Path, pieces: Iterable[bytes], *, replace: bool = False) -> None:
    """Write a file that only its owner can read, complete and on the disk, or not at all. Raises ``OSError``.

    Without ``replace``, raises ``FileExistsError`` if the file exists. First removes the drafts that killed
    processes left in its folder, as they may have a private key.
    """
    for left in stale(file.parent, f"{_DRAFT}????????"):
        with suppress(OSError):  # another process has removed it, or it is another user's
            left.unlink()
    with NamedTemporaryFile(dir=file.parent, prefix=_DRAFT, delete=False) as draft:
        partial = Path(draft.name)  # of mode 0600
        try:
            give(draft.fileno(), file.parent)
            draft.writelines(pieces)
            draft.close()
            to_disk(partial)
            if replace:
                partial.replace(file)
            else:
                give_name(partial, file)
            to_disk(file.parent)
        finally:
            partial.unlink(missing_ok=True)


def stale(place: Path, pattern: str) -> Iterator[Path]:
    """Yield the files and folders in a folder whose names match a pattern and that are older than a day."""
    for path in place.glob(pattern):
        with suppress(OSError):  # it was removed in the meantime
            if path.lstat().st_mtime < now().timestamp() - STALE_AFTER:
                yield path


def to_disk(place: Path) -> None:
    """Flush a file's content, or a folder's list of names, to the disk, so that it survives a power cut.

    Raises ``OSError`` for a file only; not every system can flush a folder.
    """
    if place.is_dir():
        with suppress(OSError):  # Windows and some network mounts flush names by themselves
            _sync(place, os.O_RDONLY)
    else:
        _sync(place, os.O_RDWR)


def _sync(place: Path, flags: int) -> None:
    descriptor = os.open(place, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
