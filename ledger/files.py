"""Files that must be whole, private, or in nobody's place."""

import os
from contextlib import suppress
from pathlib import Path


def private(file: Path) -> Path:
    """Make an empty file that its owner alone may read. Raises ``FileExistsError``."""
    os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    return file


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
