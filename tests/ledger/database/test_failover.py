"""PostgreSQL hangs, is replaced by another server or is a standby: saves fail soon, and resume soon."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from threading import Lock, Thread

import pytest
from sqlalchemy import event, make_url, text

from ledger.books.transactions import Database
from ledger.database import liveness
from ledger.database.access import Access, Role
from ledger.database.liveness import Watched
from ledger.keeping import ready
from ledger.keeping.ready import Readiness
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.club import clubs, players, tokens
from ledger.words.problems import Busy, Problem, Unreachable
from tests.conftest import _migrate
from tests.ledger import table
from tests.ledger.api.caller import Caller
from tests.support.postgres import VARIABLE, Cluster, running_cluster

pytestmark = pytest.mark.postgres

RESUMED_WITHIN = 5.0
"""Seconds after another server answers at the address until saves succeed."""


class Proxy:
    """Forwards connections to a PostgreSQL by the address of a URL; can freeze those that are open."""

    def __init__(self, url: str) -> None:
        self.lead_to(url)
        self._open: list[socket.socket] = []
        self._frozen: set[socket.socket] = set()
        self._guard = Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """The URL of the database through the proxy."""
        port = self._listening.getsockname()[1]
        url = make_url(self._target).set(host="127.0.0.1", port=port, query={})
        return url.render_as_string(hide_password=False)

    def lead_to(self, url: str) -> None:
        """Lead new connections to the server of this URL."""
        self._target = url

    def freeze(self) -> None:
        """Forward nothing more on the connections that are open, and keep them open."""
        with self._guard:
            self._frozen.update(self._open)

    def close(self) -> None:
        """End everything."""
        self._listening.close()
        for end in self._open:
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(_socket_of(self._target))
                self._open += [client, server]
                for source, sink in ((client, server), (server, client)):
                    Thread(target=self._forward, args=(source, sink), daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                with self._guard:
                    if source in self._frozen:
                        return
                    sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)


def _socket_of(url: str) -> str:
    query = make_url(url).query
    return f"{query['host']}/.s.PGSQL.{query.get('port', 5432)}"


@contextmanager
def stopped(url: str) -> Iterator[None]:
    """Let a PostgreSQL hang, with all its processes, as a machine does that swaps or loses its disk."""
    database = Database(url)
    with database.engine.connect() as connection:
        folder = Path(connection.execute(text("SHOW data_directory")).scalar_one())
        own = connection.execute(text("SELECT pid FROM pg_stat_activity")).scalars()
        processes = [int((folder / "postmaster.pid").read_text().split()[0]), *own]
    database.close()
    for pid in processes:
        with suppress(ProcessLookupError):  # the one that was asked has ended
            os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


@pytest.fixture
def proxy(postgres_cluster: Cluster) -> Iterator[Proxy]:
    """Leads to migrated books."""
    if os.environ.get(VARIABLE):
        pytest.fail(f"{VARIABLE} names a server without a socket of its own on this machine")
    with closing(Proxy(postgres_cluster.migrated())) as opened:
        yield opened


@pytest.fixture
def books(proxy: Proxy) -> Iterator[Database]:
    """Books reached through the proxy."""
    database = Database(proxy.url)
    yield database
    database.close()


@pytest.fixture
def club(books: Database) -> Access:
    """A club in them."""
    return found(books)


def found(database: Database) -> Access:
    """Start a club; the first one of a database is number 1."""
    return clubs.create(database, name="Kitchen Table", passcode="123456")[0]


def until_saved(books: Database, club: Access, name: str) -> float:
    """Save again and again as a phone does; return the seconds until it succeeds."""
    began = time.monotonic()
    while time.monotonic() - began < 60:
        try:
            players.add(table.write(books, club), name=name)
        except Problem as problem:
            if problem.status != 503:
                raise
            time.sleep(0.2)
        else:
            return time.monotonic() - began
    raise AssertionError("nothing was saved within a minute")


def test_saves_resume_soon_after_another_server_took_over_from_one_that_hangs(
    proxy: Proxy, kept_folder: Path, postgres_cluster: Cluster
) -> None:
    """A save under way fails soon with a sentence; those after it reach the new server."""
    with running_cluster(kept_folder, _migrate) as primary:
        hanging, standby = (each.migrated("failover") for each in (primary, postgres_cluster))
        proxy.lead_to(hanging)
        with closing(Database(standby)) as other:
            found(other)
        with closing(Database(proxy.url)) as books:
            club = found(books)
            players.add(table.write(books, club), name="Ann")
            with stopped(hanging):
                began = time.monotonic()
                with pytest.raises(Unreachable):
                    players.add(table.write(books, club), name="Bob")
                assert time.monotonic() - began < 2 * RESUMED_WITHIN
                saving = Thread(target=lambda: until_saved(books, club, "Cyd"))
                saving.start()
                time.sleep(1.5)  # it is waiting for the server that hangs
                proxy.lead_to(standby)
                assert until_saved(books, club, "Bob") < RESUMED_WITHIN
                saving.join(RESUMED_WITHIN)
                assert not saving.is_alive()


def set_standby(url: str, *, is_one: bool) -> None:
    """Let a database's new connections refuse writes, as a standby's do, or no longer."""
    with closing(Database(url)) as database, database.engine.begin() as connection:
        connection.execute(text("SET TRANSACTION READ WRITE"))
        state = "on" if is_one else "off"
        name = make_url(url).database
        connection.execute(
            text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {state}')
        )


def test_a_url_with_several_hosts_leads_to_the_one_that_takes_writes(
    kept_folder: Path, postgres_cluster: Cluster
) -> None:
    """Without a proxy of its own: the first host is a standby; it takes over when the second is gone."""
    with running_cluster(kept_folder, _migrate) as other:
        urls = [each.migrated("several") for each in (other, postgres_cluster)]
        for url in urls:
            with closing(Database(url)) as database:
                club = found(database)
        set_standby(urls[0], is_one=True)
        with closing(Proxy(urls[0])) as standby, closing(Proxy(urls[1])) as primary:
            hosts = [
                f"{make_url(each.url).host}:{make_url(each.url).port}"
                for each in (standby, primary)
            ]
            query = {"host": hosts, "target_session_attrs": "read-write"}
            several = make_url(primary.url).set(host=None, port=None, query=query)
            with closing(Database(several.render_as_string(hide_password=False))) as books:
                players.add(table.write(books, club), name="Ann")
                primary.close()
                set_standby(urls[0], is_one=False)
                assert until_saved(books, club, "Bob") < RESUMED_WITHIN
        names = []
        for url in urls:
            with closing(Database(url)) as database, database.read(club) as session:
                names.append([player.name for player in players.everyone(session)])
        assert names == [["Bob"], ["Ann"]]


def test_saves_resume_soon_after_a_connection_is_left_hanging(
    proxy: Proxy, books: Database, club: Access
) -> None:
    """As behind a router that was restarted: the server answers, but no longer on these connections."""
    players.add(table.write(books, club), name="Ann")
    proxy.freeze()
    assert until_saved(books, club, "Bob") < RESUMED_WITHIN


@pytest.fixture
def _checked_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the server sooner whether it is still busy."""
    monkeypatch.setattr(liveness, "SILENCE", 0.2)
    monkeypatch.setattr(liveness, "CURRENT", 0.1)


@pytest.mark.usefixtures("_checked_soon")
def test_a_statement_that_takes_long_is_not_cut_off(books: Database) -> None:
    """The server answers that it is at work on it."""
    with books.engine.connect() as connection:
        assert connection.execute(text("SELECT 7 FROM pg_sleep(0.8)")).scalar_one() == 7


@pytest.mark.usefixtures("_checked_soon")
def test_who_waits_for_a_lock_is_not_cut_off(books: Database, club: Access) -> None:
    """Another save holds the club for longer than a check waits."""
    done: list[str] = []

    def add() -> None:
        players.add(table.write(books, club), name="Ann")
        done.append("Ann")

    with books.write(club):
        waiting = Thread(target=add)
        waiting.start()
        time.sleep(0.8)
        assert done == []
    waiting.join(20)
    assert done == ["Ann"]


def test_a_write_to_a_standby_is_refused_and_later_goes_to_the_server_that_took_over(
    proxy: Proxy, books: Database, club: Access, tmp_path: Path
) -> None:
    """At once by a new connection; if that also leads to a standby, 503, and nothing was saved."""
    app = create_app(Settings(proxy.url, tmp_path, table.SECRET), books)
    secret, _ = tokens.issue(books, club, label="Sue's phone", role=Role.OWNER)
    sue = Caller(app, secret)
    books.engine.dispose()  # a new connection keeps the setting of the session, as no read has changed it
    with books.engine.begin() as connection:
        connection.execute(text("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"))
    assert sue.post("/players", {"name": "Ann"}).status_code == 201
    set_standby(proxy.url, is_one=True)
    books.engine.dispose()
    refused = sue.post("/players", {"name": "Bob"})
    assert (refused.status_code, refused.json["code"]) == (503, "unreachable")
    assert "Nothing was saved" in refused.json["detail"]
    assert refused.headers["Retry-After"]
    set_standby(proxy.url, is_one=False)
    assert sue.post("/players", {"name": "Bob"}).status_code == 201


@pytest.mark.parametrize("state", ["25006", "0A000"])
def test_either_refusal_of_a_standby_is_an_outage(books: Database, state: str) -> None:
    """A standby refuses to begin a transaction for writing by another state than it refuses a write by."""
    with pytest.raises(Unreachable), books.write() as session:
        session.connection().execute(
            text(f"DO $$ BEGIN RAISE EXCEPTION 'standby' USING ERRCODE = '{state}'; END $$")
        )


@pytest.mark.parametrize("state", ["40001", "40P01", "55P03"])
def test_a_transaction_that_met_others_is_to_be_tried_again(books: Database, state: str) -> None:
    """It is no failure of the database, and nothing of it was saved."""
    with pytest.raises(Busy), books.write() as session:
        session.connection().execute(
            text(f"DO $$ BEGIN RAISE EXCEPTION 'met' USING ERRCODE = '{state}'; END $$")
        )


def test_a_url_may_state_other_timeouts(proxy: Proxy) -> None:
    """Its values replace the defaults."""
    url = f"{proxy.url}?connect_timeout=7&tcp_user_timeout=900"
    with closing(Database(url)) as database, database.engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, Watched)
        stated = raw.info.get_parameters()
    assert (stated["connect_timeout"], stated["tcp_user_timeout"]) == ("7", "900")
    assert stated["keepalives_idle"] == "5"


def test_readiness_is_tried_on_the_connection_that_the_last_request_used(
    books: Database, club: Access
) -> None:
    """The next request takes the same one; another, or a new one, would show nothing about it."""
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(books.engine.connect())
    used: list[object] = []
    event.listen(books.engine, "checkout", lambda connection, *_: used.append(connection))
    players.add(table.write(books, club), name="Ann")
    last = used[-1]
    assert set(Readiness(books).states().values()) == {ready.OK}
    assert set(used[1:]) == {last}
