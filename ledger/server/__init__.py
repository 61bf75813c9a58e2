"""The HTTP server: uvicorn over the application, with the ports bound before the database is upgraded.

At home a second port can serve the same application under HTTPS (``home_https``), in the same event loop.
uvicorn holds every connection in one event loop, so idle and slow clients take no thread; ``bridge`` runs the
application in threads, and ``protocol`` limits clients until their requests are complete.
"""

import asyncio
import logging
import socket
import sys
from collections.abc import Callable, Collection
from contextlib import ExitStack, suppress
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

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
from ledger.server.protocol import with_metrics
from ledger.services.reads.followed import Numbers, SessionKey, numbers

if TYPE_CHECKING:
    from ledger.database.announcing import Announcements
    from ledger.server.home_https import HomeHttps

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

log = logging.getLogger("ledger")

MOST_UNHEARD = 2_048
"""The most connections that wait to be accepted."""

KEPT_ALIVE = 75
"""The seconds that an idle connection stays open, longer than the interval at which phones poll."""

DRAINED_WITHIN = 8
"""The seconds that running requests get when the server stops.

A client that reads its response slowly takes all of them; a container is killed after ten.
"""

SHAKEN_WITHIN = 10.0
"""The seconds for a TLS handshake; a client that has not finished it has no limits of ``protocol`` yet."""

PARTED_WITHIN = 2.0
"""The seconds for the end of a TLS connection, which both sides have to confirm."""

SPARED = 256
"""The open files and connections that a process needs besides those of followers."""

GRANTED = 10_240
"""The open files to request from a system that refuses its own stated maximum."""

EVERYWHERE = "0.0.0.0"  # noqa: S104 - for --lan


class HttpServer:
    """A server on bound sockets: requests queue until ``run``.

    Creating it raises the process's limit of open files, and lets followers hear of every save.
    """

    def __init__(
        self,
        app: Flask,
        database: Database,
        listening: socket.socket,
        settings: Settings,
        https: "HomeHttps | None" = None,
    ) -> None:
        self.effective_port: int = listening.getsockname()[1]
        self.https = https
        self._listening = listening
        self._metrics: Metrics = app.extensions[METRICS]

        def read_numbers(sessions: Collection[SessionKey], clubs: Collection[int]) -> Numbers:
            with database.read() as session:
                return numbers(session, sessions, clubs)

        most = max(min(settings.followers, _raise_file_limit() - SPARED), 0)
        self._followers = Followers(read_numbers, most)
        database.on_saved = self._followers.on_saved
        self._announcements = _announcements(database, self._followers.on_saved)
        if self._announcements:
            database.on_saved = self._on_saved
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
            http=with_metrics(self._metrics),
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
        """Serve until Ctrl-C or SIGTERM, then let running requests finish and close the database.

        After ``DRAINED_WITHIN`` seconds the remaining requests are cut off.
        """
        server = _Server(self._config, self._followers, self.https)
        connections = server.server_state.connections
        self._metrics.watch(
            connections=lambda: len(connections),
            requests_waiting=lambda: self._bridge.waiting,
            followers=lambda: self._followers.count,
            body_bytes=lambda: self._bridge.bodies.size,
        )
        if self._announcements:
            self._announcements.start()
        server.run([self._listening])
        if self._announcements:
            self._announcements.stop()

    def _on_saved(self) -> None:
        self._followers.on_saved()
        if self._announcements:
            self._announcements.on_saved()

    def close(self) -> None:
        """Close the sockets; the database stays open if ``run`` was never called."""
        self._listening.close()
        if self.https:
            self.https.close()


def _announcements(database: Database, on_news: Callable[[], None]) -> "Announcements | None":
    """Return the announcements between processes; None on SQLite, which has none."""
    if database.is_sqlite:
        return None
    from ledger.database.announcing import Announcements  # needs psycopg

    return Announcements(database, on_news)


class _Server(uvicorn.Server):
    """A uvicorn server that ends its followers' streams when it stops; they would never end.

    It also serves HTTPS on its own socket, with a certificate that is renewed meanwhile.
    """

    def __init__(
        self, config: uvicorn.Config, followers: Followers, https: "HomeHttps | None"
    ) -> None:
        super().__init__(config)
        self._followers = followers
        self._https = https
        self._renewing: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen on the plain sockets, then on the one for HTTPS."""
        await super().startup(sockets)
        if self._https is None:
            return
        protocol_class: Any = self.config.http_protocol_class
        protocol = partial(
            protocol_class,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        secure = await asyncio.get_running_loop().create_server(
            protocol,
            sock=self._https.listening,
            backlog=MOST_UNHEARD,
            ssl=self._https.context,
            ssl_handshake_timeout=SHAKEN_WITHIN,
            ssl_shutdown_timeout=PARTED_WITHIN,
        )
        self.servers.append(secure)
        self._renewing = asyncio.create_task(self._https.keep_renewed())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the followers' streams, then stop; browsers reconnect to the next server."""
        if self._renewing:
            self._renewing.cancel()
        self._followers.stop()
        await super().shutdown(sockets)


class CannotListen(OSError):
    """The address is in use or not ours, or HTTPS has no certificate; the message gives the remedy."""


def listen(settings: Settings, host: str, port: int, https_port: int | None = None) -> HttpServer:
    """Bind the address, migrate the database, and return the server, not yet running.

    Binding first leaves the database of a running server alone. Connections wait during the migration. Also
    sets up the log, starts the daily backups, and warns of clubs without an owner. With ``https_port`` the
    server also speaks HTTPS there, with its own certificate. Raises ``CannotListen``, ``CannotOpen``.
    """
    logs.configure(settings.log)
    with ExitStack() as unless_listening:
        listening = _bound(host, port)
        unless_listening.callback(listening.close)
        https = None
        if https_port is not None:
            secure = _bound(host, https_port, option="--https-port")
            unless_listening.callback(secure.close)
            https = _home_https(settings, listening.getsockname(), secure)
            unless_listening.callback(https.close)
        database = open_books(settings)
        unless_listening.pop_all()
    nightly.start(settings)
    with database.read() as session:
        if notice := ownerless.notice(session):
            log.warning("%s", notice)
    app = create_app(settings, database, https.home if https else None)
    return HttpServer(app, database, listening, settings, https)


def _home_https(settings: Settings, plain: tuple[str, int], secure: socket.socket) -> "HomeHttps":
    """Return the certificates for a server on this address and socket. Raises ``CannotListen``."""
    # cryptography and zeroconf take a while to load, and most servers need neither.
    from ledger.keeping.certificates import FOLDER, NoCertificate
    from ledger.server.home_https import HomeHttps

    host, port, *_ = plain
    find_address = _find_lan_address if ip_address(host).is_unspecified else lambda: host
    try:
        return HomeHttps(settings.folder / FOLDER, find_address, port, secure)
    except NoCertificate as error:
        raise CannotListen(str(error)) from error


def _find_lan_address() -> str | None:
    address = lan_address()
    return None if ip_address(address).is_loopback else address


def must_be_free(host: str, port: int) -> None:
    """Raise ``CannotListen`` if the address can't be bound now."""
    _bound(host, port).close()


def _bound(host: str, port: int, option: str = "--port") -> socket.socket:
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
            f"Is it running already? Choose another with {option}."
        ) from error


def _raise_file_limit() -> int:
    """Raise the process's limit of open files, usually 1,024, to the system's maximum, and return it.

    macOS states no maximum and grants at most ``GRANTED``. On Windows the result is ``MOST_UNHEARD``.
    """
    if resource is None:
        return MOST_UNHEARD
    limit, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wish in (maximum, GRANTED):
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wish, maximum))
            limit = wish
            break
    return limit if limit != resource.RLIM_INFINITY else sys.maxsize


def lan_address() -> str:
    """Return this machine's address in the local network, or 127.0.0.1 without one; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only a route is chosen
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def url(host: str, port: int | str, scheme: str = "http") -> str:
    """Return the address that people type: scheme, the host (IPv6 in brackets) and the port."""
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}/"
