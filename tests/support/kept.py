"""Slowly made things that change only with their sources: kept between runs, in pytest's cache.

Each thing kept bears a fingerprint of its sources, so nothing old is ever used;
`pytest --cache-clear` throws all of it away.
"""

import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.support.tree import ROOT

MIGRATED_BY = (
    "ledger/books/transactions.py",
    "ledger/keeping/migrate.py",
    "ledger/database/models",
    "migrations",
)
"""The files and folders that decide what empty books look like."""

OUTDATED_SECONDS = 3600.0
"""How long something of another fingerprint is left alone: another run may be at it."""


def fingerprint(*packages: str) -> str:
    """Return a short fingerprint of the sources of empty books: our own files, and these packages."""
    found = hashlib.sha256()
    for place in (ROOT / name for name in MIGRATED_BY):
        if not place.exists():
            raise FileNotFoundError(f"{place} is gone: say in MIGRATED_BY where its code went")
        for file in [place] if place.is_file() else sorted(place.rglob("*.py")):
            found.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    for package in ("alembic", "sqlalchemy", "sqlmodel", *packages):
        found.update(f"{package} {version(package)}\n".encode())
    return found.hexdigest()[:16]


def kept(folder: Path, name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder `name` in `folder`; if there is none, let `make` fill it first.

    Others may do the same at the same time: each fills a folder of its own, and the first one to be done
    gives its own the name.
    """
    place = folder / name
    if not place.exists():
        made = Path(mkdtemp(prefix=".making-", dir=folder))
        make(made)
        try:
            made.rename(place)
        except OSError:
            shutil.rmtree(made)
        _forget_outdated(place)
    return place


def folder_of(config: pytest.Config) -> Path | None:
    """Return where things are kept; None where pytest has no cache or may not write to it."""
    cache = getattr(config, "cache", None)
    try:
        folder = None if cache is None else cache.mkdir("ledger")
    except OSError:
        return None
    return folder if folder is not None and os.access(folder, os.W_OK) else None


def copy(source: Path, target: Path) -> None:
    """Copy a folder with its owners, which Python's own way does not keep."""
    subprocess.run(["cp", "-a", source, target], check=True)


def _forget_outdated(place: Path) -> None:
    """Remove folders of the same kind made from older sources."""
    same = (place.name.partition("-")[0], ".making-")
    for other in place.parent.iterdir():
        if other == place or not other.name.startswith(same):
            continue
        with suppress(FileNotFoundError):
            if time.time() - other.stat().st_mtime > OUTDATED_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
