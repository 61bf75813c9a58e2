"""nginx and Caddy from Debian, with the examples' configuration, in front of the real service."""

import json
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.failures import MOST_BYTES
from ledger.services.club import links
from tests.deploy.proxies import (
    KINDS,
    NAME,
    VISITOR,
    Certificate,
    Proxy,
    certified,
    needed,
    proxied,
)
from tests.ledger.server.test_followers import read
from tests.support.server import Server, answering, fork_server

TRUSTING = {"LEDGER_TRUSTED_PROXY": "127.0.0.1", "LEDGER_HTTPS": "1", "LEDGER_LOG": "json"}
FORGED = {
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "http",
    "X-Request-ID": "forged",
}
JSON = {"Content-Type": "application/json"}
GZIP = {"Accept-Encoding": "gzip"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The service behind them, which trusts this machine."""
    folder = tmp_path_factory.mktemp("service")
    running = answering(
        fork_server(folder, environment={**TRUSTING, "LEDGER_METRICS": "127.0.0.1"})
    )
    yield running
    running.stop()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """A certificate for the name of the examples."""
    needed("openssl")
    return certified(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module", params=KINDS)
def proxy(
    request: pytest.FixtureRequest,
    service: Server,
    certificate: Certificate,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Proxy]:
    """Each of the proxies."""
    kind = str(request.param)
    with proxied(kind, tmp_path_factory.mktemp(kind), port(service), certificate) as running:
        yield running


@pytest.fixture(scope="module")
def club(proxy: Proxy) -> dict[str, Any]:
    """A club that a visitor has founded through the proxy, with forged headers about itself."""
    body = json.dumps({"name": f"Club {proxy.port}", "passcode": "four aces"}).encode()
    answer, said = proxy.ask("POST", "/api/v1/clubs", JSON | FORGED, body)
    assert answer.status == 201, said
    return {"number": answer.headers["X-Request-ID"], "said": said, **json.loads(said)}


def port(service: Server) -> int:
    """Return where the service listens."""
    return int(service.url.rpartition(":")[2])


def test_links_say_https_and_the_name_that_was_asked(club: dict[str, Any]) -> None:
    """The proxy states the requested name, and nobody else is believed."""
    assert b"https://cards.example.org/" in club["said"]
    assert b"evil.example" not in club["said"]


def test_the_visitor_counts_not_the_proxy(service: Server, club: dict[str, Any]) -> None:
    """The service knows the address that asked, and one number names the request in both logs."""
    lines = [json.loads(line) for line in service.log.splitlines() if line.startswith("{")]
    (line,) = [each for each in lines if each.get("request_id") == club["number"]]
    assert (line["address"], line["status"]) == (VISITOR, 201)
    assert club["number"] != "forged"


def test_a_body_over_the_bound_is_refused(proxy: Proxy) -> None:
    """Before it reaches the service, or by it; one of just so many bytes is read."""
    for bytes_sent, status in ((MOST_BYTES + 1, 413), (MOST_BYTES, 200)):
        answer, _ = proxy.ask("POST", "/api/v1/score", JSON, b"{}".rjust(bytes_sent))
        assert answer.status == status


def test_who_has_a_page_is_told_that_it_has_not_changed(proxy: Proxy) -> None:
    """Compressed by the service, tagged, and answered 304: the proxy leaves all three alone."""
    answer, _ = proxy.ask("GET", "/", GZIP)
    assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
    repeated, said = proxy.ask("GET", "/", GZIP | {"If-None-Match": answer.headers["ETag"]})
    assert (repeated.status, said) == (304, b"")


def test_a_stream_of_news_is_handed_on_as_it_comes(
    proxy: Proxy, club: dict[str, Any], service: Server
) -> None:
    """A proxy that gathered it first would hand on nothing, as it does not end."""
    database = Database(f"sqlite:///{service.folder / 'ledger.sqlite'}")
    number = json.loads(club["said"])["club"]["id"]
    owner = Access(number, Role.OWNER, "Sue")
    secret = (service.folder / "secret-key").read_text().strip()
    key, _ = links.make(database, owner, secret, role=Role.VIEWER, lasts="hour")
    database.close()
    let_in, _ = proxy.ask("GET", f"/v/{key}", {})
    cookie = let_in.headers["Set-Cookie"].partition(";")[0]
    with proxy.connected() as line:
        asked = f"GET /clubs/{number}/live HTTP/1.1\r\nHost: {NAME}\r\nCookie: {cookie}\r\n\r\n"
        line.sendall(asked.encode())
        assert b"data: " in read(line, b"data: ")


def test_an_answer_with_a_secret_in_it_is_compressed_by_nobody(
    proxy: Proxy, club: dict[str, Any]
) -> None:
    """Its length would reveal the secret; the service leaves it as it is, and so must the proxy."""
    bearer = {"Authorization": f"Bearer {club['token']['secret']}", **GZIP}
    shown, _ = proxy.ask("GET", "/api/v1/club", bearer)
    assert (shown.status, shown.headers["Cache-Control"]) == (200, "no-store")
    assert "Content-Encoding" not in shown.headers


def test_the_tag_of_a_session_comes_through_as_it_is(proxy: Proxy, club: dict[str, Any]) -> None:
    """A write is sent with it as `If-Match`; a proxy that compresses would make a weak one of it."""
    bearer = {"Authorization": f"Bearer {club['token']['secret']}", **GZIP}
    draft = {"game": "six-bid", "players": ["Ann", "Bob", "Cyd", "Dee"], "first_dealer": "Dee"}
    started, said = proxy.ask(
        "POST",
        "/api/v1/sessions",
        bearer | JSON | {"Idempotency-Key": "a-session-by-proxy"},
        json.dumps(draft).encode(),
    )
    assert started.status == 201, said
    shown, _ = proxy.ask("GET", f"/api/v1/sessions/{json.loads(said)['id']}", bearer)
    assert shown.status == 200
    assert shown.headers["ETag"].startswith('"')


def test_figures_are_for_the_machine_itself(proxy: Proxy, service: Server) -> None:
    """Through the proxy there is no page of metrics."""
    assert proxy.ask("GET", "/metrics", GZIP)[0].status == 404
    line = HTTPConnection("127.0.0.1", port(service), timeout=30)
    line.request("GET", "/metrics")
    assert b"ledger_request_seconds" in line.getresponse().read()
    line.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_that_sends_its_head_slowly_is_hung_up_on(
    kind: str, service: Server, certificate: Certificate, tmp_path: Path
) -> None:
    """After the example's timeout, here a second."""
    with proxied(kind, tmp_path, port(service), certificate, "1s") as running:
        line = running.connected()
        line.sendall(b"GET / HTTP/1.1\r\nHos")
        line.settimeout(60)
        with suppress(ConnectionError):  # one closes the connection, the other answers 408
            while said := line.recv(4096):
                assert b" 200 " not in said
        line.close()
