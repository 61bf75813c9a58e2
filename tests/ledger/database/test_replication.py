"""With synchronous replication a save succeeds once the standby has it; until then its outcome is unknown."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest
from flask import Flask
from sqlalchemy import text
from werkzeug.test import TestResponse

from ledger.books.transactions import Database
from ledger.database import liveness
from ledger.database.access import Access, Role
from ledger.keeping import ready
from ledger.keeping.doctor import Finding, examine
from ledger.keeping.ready import Readiness
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.club import clubs, players, tokens
from tests.conftest import _migrate
from tests.ledger import table
from tests.ledger.api.caller import Caller
from tests.support.postgres import Standby, running_cluster, standby

pytestmark = pytest.mark.postgres

WITHIN = 0.5
"""The seconds that a commit waits in these tests."""


class Replicated(NamedTuple):
    """A primary's books with a club, and its synchronous standby."""

    books: Database
    club: Access
    standby: Standby

    def run(self, statement: str) -> object:
        """Return the result of a statement that no transaction may contain."""
        engine = self.books.engine.execution_options(isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            result = connection.execute(text(statement))
            return result.scalar() if result.returns_rows else None

    def require(self, names: str) -> None:
        """Let commits wait for these standbys, and return when that holds."""
        self.run(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.run("SELECT pg_reload_conf()")
        until(lambda: self.run("SHOW synchronous_standby_names") == names)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Stop the standby, and start it again."""
        self.standby.stop()
        try:
            yield
        finally:
            self.standby.start()
            until(lambda: self.run("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"))


def until(is_so: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture(scope="module")
def _primary(kept_folder: Path) -> Iterator[Replicated]:
    with running_cluster(kept_folder, _migrate) as cluster:
        url = cluster.migrated()
        with closing(Database(url)) as books, standby(url, "second") as started:
            club, _ = clubs.create(books, name="Kitchen Table", passcode="four aces")
            yield Replicated(books, club, started)


@pytest.fixture
def primary(_primary: Replicated, monkeypatch: pytest.MonkeyPatch) -> Iterator[Replicated]:
    """A primary whose commits wait for its standby, for a short time."""
    monkeypatch.setattr(liveness, "REPLICATED_WITHIN", WITHIN)
    _primary.require("second")
    until(lambda: _primary.run("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"))
    yield _primary
    _primary.require("")


@pytest.fixture
def app(primary: Replicated, tmp_path: Path) -> Flask:
    """The application over the primary."""
    return create_app(Settings(url_of(primary), tmp_path, table.SECRET), primary.books)


@pytest.fixture
def sue(app: Flask, primary: Replicated) -> Caller:
    """A client of the club."""
    secret, _ = tokens.issue(primary.books, primary.club, label="Sue's phone", role=Role.OWNER)
    return Caller(app, secret)


@pytest.fixture
def readiness(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[..., TestResponse]:
    """Request the readiness from an address; no result is reused."""
    monkeypatch.setattr(ready, "ANSWER_SECONDS", 0.0)
    return lambda address="127.0.0.1": app.test_client().get(
        "/readyz", environ_base={"REMOTE_ADDR": address}
    )


def url_of(primary: Replicated) -> str:
    """Return the URL of its books."""
    return primary.books.url.render_as_string(hide_password=False)


def doctor(url: str) -> Finding:
    """Return what the doctor finds of the replication."""
    (finding,) = [
        each for each in examine({"LEDGER_DATABASE_URL": url}) if each.part == "replication"
    ]
    return finding


def names(primary: Replicated) -> list[str]:
    """Return the names of the club's players."""
    with primary.books.read(primary.club) as session:
        return [player.name for player in players.everyone(session)]


def test_a_save_is_of_unknown_outcome_until_the_standby_has_it(
    primary: Replicated, sue: Caller
) -> None:
    """Also if it is sent again and its key is found: the primary alone could still lose it."""
    assert sue.post("/players", {"name": "Ann"}, key="the key of Ann").status_code == 201
    with primary.alone():
        for _ in range(2):
            began = time.monotonic()
            unknown = sue.post("/players", {"name": "Bob"}, key="the key of Bob")
            assert (unknown.status_code, unknown.json["code"]) == (503, "unreachable")
            assert "Whether it was saved is not known" in unknown.json["detail"]
            assert WITHIN <= time.monotonic() - began < 10 * WITHIN
    assert sue.post("/players", {"name": "Bob"}, key="the key of Bob").status_code == 201
    assert sorted(names(primary)) == ["Ann", "Bob"]


def test_a_wait_that_somebody_cancels_is_no_success(
    primary: Replicated, sue: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL reports success with a warning."""
    monkeypatch.setattr(liveness, "REPLICATED_WITHIN", 60)
    waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    codes: list[int] = []
    with primary.alone():
        saving = Thread(
            target=lambda: codes.append(sue.post("/players", {"name": "Cyd"}).status_code)
        )
        saving.start()
        until(lambda: primary.run(f"SELECT 1 {waiting}") == 1)
        primary.run(f"SELECT pg_cancel_backend(pid) {waiting}")
        saving.join(30)
    assert codes == [503]


def test_nothing_waits_for_a_standby_where_none_is_required(
    primary: Replicated, sue: Caller
) -> None:
    """Replication is then asynchronous, or there is none."""
    primary.require("")
    with primary.alone():
        assert sue.post("/players", {"name": "Dee"}).status_code == 201


def test_readiness_and_doctor_report_the_server_and_its_standby(
    primary: Replicated, readiness: Callable[..., TestResponse]
) -> None:
    """The details are for this machine only; others get the state."""
    until(lambda: "(sync, 0 bytes" in readiness().get_json()["standbys"])
    states = readiness().get_json()
    assert (states["replication"], states["node"]) == (ready.OK, "local socket")
    assert states["standbys"].startswith("second (sync, 0 bytes and 0.")
    assert readiness("192.0.2.7").status_code == 200
    assert readiness("192.0.2.7").get_json().keys().isdisjoint({"node", "standbys"})
    found = doctor(url_of(primary))
    assert found.state == "ok"
    assert found.text.startswith("local socket; standbys: second (sync, 0 bytes and 0.")
    assert found.text.endswith("synchronous replication is required")


def test_a_missing_synchronous_standby_is_a_fault(
    primary: Replicated, readiness: Callable[..., TestResponse]
) -> None:
    """No save can be acknowledged."""
    primary.require("FIRST 2 (second, third)")
    with primary.alone():
        says = "synchronous replication is required, and 0 of 2 standbys are connected"
        assert readiness("192.0.2.7").status_code == 503
        assert readiness("192.0.2.7").get_json()["replication"] == says
        assert readiness().get_json()["standbys"] == "none"
        found = doctor(url_of(primary))
    assert (found.state, found.text.partition(";")[0]) == ("MEND", f"local socket: {says}")
    assert "1 of 2 standbys" in readiness().get_json()["replication"]


def test_without_required_synchronous_replication_none_is_missing(
    primary: Replicated, readiness: Callable[..., TestResponse]
) -> None:
    """A single server is in order, too."""
    primary.require("")
    with primary.alone():
        assert readiness().get_json()["replication"] == ready.OK
        assert doctor(url_of(primary)).text.endswith("is not required")
    until(lambda: "(async, 0 bytes" in readiness().get_json()["standbys"])


def test_saves_that_do_not_wait_for_the_required_standby_are_a_fault(primary: Replicated) -> None:
    """A setting of the server, the database or the user."""
    url = url_of(primary) + "&options=-csynchronous_commit%3Dlocal"
    assert "synchronous_commit is local" in doctor(url).text


def test_a_user_who_may_not_see_the_standbys_is_warned(
    primary: Replicated, app: Flask, readiness: Callable[..., TestResponse]
) -> None:
    """What can't be checked is no fault."""
    primary.run("CREATE ROLE plain LOGIN")
    primary.run("GRANT ALL ON ALL TABLES IN SCHEMA public TO plain")
    url = url_of(primary).replace("postgres:@", "plain:@")
    found = doctor(url)
    assert (found.state, found.is_well) == ("WARN", True)
    assert found.text.endswith("GRANT pg_read_all_stats TO plain")
    with closing(Database(url)) as books:
        app.extensions["ledger.ready"] = Readiness(books)
        assert readiness().get_json()["replication"] == ready.OK
        assert "pg_read_all_stats" in readiness().get_json()["standbys"]


def test_a_standby_is_named_as_one(primary: Replicated) -> None:
    """It can be read, and takes no writes."""
    found = doctor(primary.standby.url)
    assert found.state == "MEND"
    assert "is a standby and takes no writes" in found.text
