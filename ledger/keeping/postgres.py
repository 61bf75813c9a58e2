"""PostgreSQL's own tools, found and run: only they copy a whole database that is in use."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

LONGEST_RUN = 3600.0
"""Seconds that one run of a tool may take; a server that answers no more is not waited for without end."""

_DEBIAN = Path("/usr/lib/postgresql")
_WITHOUT_A_PASSWORD = "--no-password"  # noqa: S105 - an option: it never asks, what it needs is in the URL


class CopyFailed(RuntimeError):
    """A copy could not be made or read; the message says why."""


def dump(url: URL, to: Path) -> None:
    """Write the database at ``url`` into a file, as it is at one moment, and read the file through once."""
    major = _server(url)
    _run("pg_dump", major, url, "--format=custom", f"--file={to}")
    _run("pg_restore", major, None, f"--file={os.devnull}", str(to))


def load(file: Path, url: URL) -> None:
    """Put what was dumped into the empty database at ``url``: all of it, or nothing."""
    options = ("--exit-on-error", "--single-transaction", "--no-owner", "--no-privileges")
    _run("pg_restore", _server(url), url, *options, str(file))


def _server(url: URL) -> int:
    engine = create_engine(url, connect_args={"client_encoding": "utf8"})
    try:
        with engine.connect() as connection:
            return int(connection.execute(text("SHOW server_version_num")).scalar_one()) // 10_000
    except DBAPIError as error:
        raise CopyFailed(" ".join(str(error.orig).split())) from error
    finally:
        engine.dispose()


def _find(tool: str, major: int) -> str:
    """Find the tool of the server's version, or the next newer; an older one refuses to read it."""
    found: dict[int, str] = {}
    for folder in [*os.get_exec_path(), *map(str, _DEBIAN.glob("*/bin"))]:
        if path := shutil.which(tool, path=folder):
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
            if version := re.search(r"\d+", said.stdout):
                found.setdefault(int(version[0]), path)
    fitting = [version for version in found if version >= major]
    if fitting:
        return found[min(fitting)]
    instead = f"; found is {tool} of version {max(found)}" if found else ""
    raise CopyFailed(
        f"{tool} of version {major} or newer is needed{instead}. Install PostgreSQL's client programs "
        f"(Debian: apt install postgresql-client-{major})"
    )


def _run(tool: str, major: int, url: URL | None, *arguments: str) -> None:
    path, env = _find(tool, major), dict(os.environ)
    said = [*arguments]
    if url is not None:
        plain = url.set(drivername="postgresql", password=None)
        said = [_WITHOUT_A_PASSWORD, f"--dbname={plain.render_as_string()}", *arguments]
        if url.password:
            env["PGPASSWORD"] = url.password  # others can read what a program is called with
    try:
        done = subprocess.run(  # noqa: S603 - the tool that was found, and a URL of the settings
            [path, *said],
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_RUN,
        )
    except subprocess.TimeoutExpired as error:
        raise CopyFailed(f"{tool} did not end within {LONGEST_RUN:,.0f} seconds") from error
    if done.returncode:
        why = " ".join(done.stderr.split()) or f"status {done.returncode}"
        raise CopyFailed(f"{tool} failed: {why}")
