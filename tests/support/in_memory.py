"""A pytest plugin: temporary files are in memory if it has room, as tests wait long for a disk to store them.

It sets ``TMPDIR``, unless it is set. The files of a failed test are below it.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes its own folders there, as below /tmp
"""Linux's file system in memory."""

ROOM = 4 * 2**30
"""The free bytes it must have, several times those of a run."""


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """Set ``TMPDIR`` for this process and those that it starts."""
    if "TMPDIR" not in os.environ and _has_room():
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # so that it reads the variable again


def _has_room() -> bool:
    """Return whether the folder exists with room for files, executable ones as well."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return False
    executable = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    return executable and shutil.disk_usage(MEMORY).free >= ROOM
