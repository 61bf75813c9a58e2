"""Files that must be whole, private, or in nobody's place."""

import os
from contextlib import suppress
from pathlib import Path


def private(file: Path, owned_like: Path | None = None) -> Path:
    """Make an empty file that its owner alone can read. Raises ``FileExistsError``.

    If root makes it, it gets the owner of ``owned_like``, by default of its folder.
    """
    opened = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        give(opened, owned_like or file.parent)
    finally:
        os.close(opened)
    return file


def folder(place: Path) -> None:
    """Make a folder that its owner alone can read, with those above it, unless it is there.

    If root makes them, they get the owner of the folder that they are made in.
    """
    missing = [each for each in (place, *place.parents) if not each.exists()]
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not _is_root():
        return
    for made in missing:
        opened = os.open(made, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            give(opened, missing[-1].parent)
        finally:
            os.close(opened)


def give(opened: int, owned_like: Path) -> None:
    """Give an open file that root made to the owner of another: the service runs as that user.

    It is given while it is open, so that nobody can put a link to another file under its name meanwhile.
    """
    if _is_root():
        owner = owned_like.stat()
        os.fchown(opened, owner.st_uid, owner.st_gid)


def _is_root() -> bool:
    return getattr(os, "geteuid", os.getpid)() == 0  # Windows has no root


def give_name(made: Path, name: Path) -> None:
    """Move a file to a name that nothing has: what has it is never touched. Raises ``FileExistsError``.

    It is linked there, as a link takes nothing's place. Where a file system knows no links (exFAT, some
    network mounts), an empty file takes the name first, which no other can have then, and gives way to it.
    """
    try:
        os.link(made, name)
    except FileExistsError:
        raise
    except OSError:
        private(name)
        try:
            made.replace(name)
        except BaseException:
            name.unlink()
            raise
    else:
        made.unlink()


def to_disk(place: Path) -> None:
    """Have what is written of a file, or of the names in a folder, survive a power cut from here on."""
    if place.is_dir():
        with suppress(
            OSError
        ):  # Windows and some network mounts bring names to the disk by themselves
            _sync(place, os.O_RDONLY)
    else:
        _sync(place, os.O_RDWR)


def _sync(place: Path, how: int) -> None:
    opened = os.open(place, how)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
