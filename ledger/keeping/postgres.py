"""Running PostgreSQL's own tools, the only ones that copy a whole database in use."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

LONGEST_RUN = 3600.0
"""The most seconds that a tool may run; a hung server would block it forever."""

_DEBIAN = Path("/usr/lib/postgresql")
_WITHOUT_A_PASSWORD = "--no-password"  # noqa: S105 - an option: never prompt, as the URL has it


class CopyFailed(RuntimeError):
    """A copy could not be made or read; the message gives the reason."""


def dump(url: URL, to: Path) -> None:
    """Dump the database at ``url`` into a file, at one moment, and check the file. Raises ``CopyFailed``."""
    major = _server(url)
    _run("pg_dump", major, url, "--format=custom", f"--file={to}")
    _run("pg_restore", major, None, f"--file={os.devnull}", str(to))


def load(file: Path, url: URL) -> None:
    """Restore a dump into the empty database at ``url``, completely or not at all. Raises ``CopyFailed``."""
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
    """Return the path of the tool of the server's version or the next newer one; older ones refuse it.

    Raises ``CopyFailed`` if there is none.
    """
    paths: dict[int, str] = {}
    for folder in [*os.get_exec_path(), *map(str, _DEBIAN.glob("*/bin"))]:
        if path := shutil.which(tool, path=folder):
            result = subprocess.run(  # noqa: S603 - an installed tool
                [path, "--version"], capture_output=True, text=True, check=False
            )
            if version := re.search(r"\d+", result.stdout):
                paths.setdefault(int(version[0]), path)
    fitting = [version for version in paths if version >= major]
    if fitting:
        return paths[min(fitting)]
    instead = f"; found is {tool} of version {max(paths)}" if paths else ""
    raise CopyFailed(
        f"{tool} of version {major} or newer is needed{instead}. Install PostgreSQL's client programs "
        f"(Debian: apt install postgresql-client-{major})"
    )


def _run(tool: str, major: int, url: URL | None, *arguments: str) -> None:
    path, env = _find(tool, major), dict(os.environ)
    options = [*arguments]
    if url is not None:
        plain = url.set(drivername="postgresql", password=None)
        options = [_WITHOUT_A_PASSWORD, f"--dbname={plain.render_as_string()}", *arguments]
        if url.password:
            env["PGPASSWORD"] = url.password  # others can read a program's arguments
    try:
        result = subprocess.run(  # noqa: S603 - an installed tool, and a URL of the settings
            [path, *options],
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_RUN,
        )
    except subprocess.TimeoutExpired as error:
        raise CopyFailed(f"{tool} did not end within {LONGEST_RUN:,.0f} seconds") from error
    if result.returncode:
        reason = " ".join(result.stderr.split()) or f"status {result.returncode}"
        raise CopyFailed(f"{tool} failed: {reason}")
