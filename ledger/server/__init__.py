"""Serving: uvicorn over the application, with the port bound and then the database upgraded first.

uvicorn holds every connection in one loop, so that idle and slow clients take no thread; ``bridge`` runs the
application in threads, ``protocol`` bounds what a client may take before its request is whole.
"""

import logging
import socket
import sys
from collections.abc import Collection
from contextlib import suppress

import uvicorn
from flask import Flask

from ledger.books.transactions import Database
from ledger.http.request_log import METRICS
from ledger.keeping import nightly, ownerless
from ledger.keeping.migrate import open_books
from ledger.runtime import logs
from ledger.runtime.config import Settings
from ledger.runtime.metrics import Metrics
from ledger.server.app import create_app
from ledger.server.bridge import Bridge
from ledger.server.followers import Followers
from ledger.server.protocol import counted_by
from ledger.services.reads.followed import Numbers, numbers

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

log = logging.getLogger("ledger")

MOST_UNHEARD = 2_048
"""How many connections may wait to be taken."""

KEPT_ALIVE = 75
"""Seconds for which a connection is kept after an answer, longer than any phone waits to ask again."""

DRAINED_WITHIN = 8
"""Seconds that what has begun gets to come to its end once the server is told to stop.

A client that reads little of its answer takes all of them; after ten a container is killed.
"""

SPARED = 256
"""How many files and connections a process needs for all else than followers."""

GRANTED = 10_240
"""How many open files a system grants that says it has no limit and means another."""

EVERYWHERE = "0.0.0.0"  # noqa: S104 - what --lan asks for


class HttpServer:
    """A server that listens already: requests queue from now on."""

    def __init__(
        self, app: Flask, database: Database, listening: socket.socket, settings: Settings
    ) -> None:
        self.effective_port: int = listening.getsockname()[1]
        self._listening = listening
        self._metrics: Metrics = app.extensions[METRICS]

        def look(sessions: Collection[int], clubs: Collection[int]) -> Numbers:
            with database.read() as session:
                return numbers(session, sessions, clubs)

        most = max(min(settings.followers, _allow_many_connections() - SPARED), 0)
        self._followers = Followers(look, most)
        database.on_saved = self._followers.written
        self._bridge = Bridge(
            app,
            settings.threads,
            database.close,
            self._followers,
            self._metrics,
            settings.trusted_proxies,
        )
        self._config = uvicorn.Config(
            self._bridge,
            http=counted_by(self._metrics),
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            headers=[("server", "solo-ledger")],
            backlog=MOST_UNHEARD,
            timeout_keep_alive=KEPT_ALIVE,
            timeout_graceful_shutdown=DRAINED_WITHIN,
        )

    def run(self) -> None:
        """Serve until stopped by Ctrl-C or SIGTERM, which both let what has begun come to its end."""
        server = _Server(self._config, self._followers)
        open_ones = server.server_state.connections
        self._metrics.watch(
            lambda: len(open_ones),
            lambda: self._bridge.waiting,
            lambda: self._followers.count,
            lambda: self._bridge.bodies.held,
        )
        server.run([self._listening])

    def close(self) -> None:
        """Stop listening."""
        self._listening.close()


class _Server(uvicorn.Server):
    """The server, which ends its followers' streams when it is told to stop: they would never end."""

    def __init__(self, config: uvicorn.Config, followers: Followers) -> None:
        super().__init__(config)
        self._followers = followers

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: followers first, who come back once there is a server again."""
        self._followers.stop()
        await super().shutdown(sockets)


class CannotListen(OSError):
    """The address is taken or not ours; the message says which and what to do."""


def application(settings: Settings) -> Flask:
    """Return the application over migrated books."""
    logs.configure(settings.log)
    return _served(settings, open_books(settings))


def _served(settings: Settings, database: Database) -> Flask:
    nightly.start(settings)
    with database.read() as session:
        if notice := ownerless.notice(session):
            log.warning("%s", notice)
    return create_app(settings, database)


def listen(settings: Settings, host: str, port: int) -> HttpServer:
    """Bind the address, migrate, and return the server, not yet running.

    A server that runs there already keeps its database as it is. Who connects while the database is being
    migrated waits for the answer. Raises ``CannotListen``, ``CannotOpen``.
    """
    logs.configure(settings.log)
    listening = _bound(host, port)
    try:
        database = open_books(settings)
    except BaseException:
        listening.close()
        raise
    return HttpServer(_served(settings, database), database, listening, settings)


def must_be_free(host: str, port: int) -> None:
    """Raise ``CannotListen`` if the address can't be bound now."""
    _bound(host, port).close()


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address, family=family, backlog=MOST_UNHEARD)
    except (socket.gaierror, UnicodeError) as error:
        raise CannotListen(
            f"Can't listen on {host}: there is no such address here; choose another with --host."
        ) from error
    except OSError as error:
        raise CannotListen(
            f"Can't listen on {host} port {port}: {error.strerror or error}. "
            "Is it running already? Choose another with --port."
        ) from error


def _allow_many_connections() -> int:
    """Let the process have as many open connections as the system grants it; mostly 1,024 unasked.

    macOS names no limit, and grants no more than ``GRANTED``.
    """
    if resource is None:
        return MOST_UNHEARD
    own, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    for asked in (most, GRANTED):
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (asked, most))
            own = asked
            break
    return own if own != resource.RLIM_INFINITY else sys.maxsize


def lan_address() -> str:
    """Return this machine's address in the local network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: only the route is asked
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def url(host: str, port: int | str) -> str:
    """Return the address people type."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/"
