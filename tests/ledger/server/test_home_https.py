"""HTTPS beside plain HTTP: a real server, and clients that trust nothing but its authority."""

import asyncio
import json
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from ledger.cli import main
from ledger.keeping import certificates
from ledger.runtime.clock import now
from ledger.server import home_https, mdns
from ledger.server.home_https import HomeHttps
from ledger.server.mdns import CannotPublish, PublishedName
from tests.conftest import StartServer
from tests.ledger.server.loops import in_a_loop_of_its_own
from tests.ledger.server.test_serving import FOUND, answer, head
from tests.support.server import Server, free_port

HERE = "127.0.0.1"


class Home:
    """A server that speaks both, and the trust of a phone in its authority."""

    def __init__(self, running: Server, port: int) -> None:
        self.running = running
        self.port = port
        folder = running.folder / "https"
        stored = certificates.load(folder)
        assert stored is not None
        self.context = ssl.create_default_context(
            cadata=ssl.DER_cert_to_PEM_cert(stored.authority.der)
        )

    @property
    def url(self) -> str:
        """Its address under HTTPS."""
        return f"https://{HERE}:{self.port}"

    def ask(
        self, method: str, path: str, *, secure: bool, cookies: str = "", body: str = ""
    ) -> tuple[int, dict[str, str], str]:
        """Send a request and return status, headers by their names in lower case, and body."""
        netloc = f"{HERE}:{self.port}" if secure else urlsplit(self.running.url).netloc
        line = (
            HTTPSConnection(netloc, timeout=20, context=self.context)
            if secure
            else HTTPConnection(netloc, timeout=20)
        )
        sent = {"Content-Type": "application/json"} | ({"Cookie": cookies} if cookies else {})
        try:
            line.request(method, path, body, sent)
            got = line.getresponse()
            headers = {name.lower(): value for name, value in got.getheaders()}
            return got.status, headers, got.read().decode()
        finally:
            line.close()

    @contextmanager
    def connected(self) -> Iterator[ssl.SSLSocket]:
        """A TLS connection."""
        with (
            socket.create_connection((HERE, self.port), timeout=20) as line,
            self.context.wrap_socket(line, server_hostname=HERE) as secure,
        ):
            yield secure


@pytest.fixture
def home(server: StartServer) -> Home:
    """A server at home, on this machine's own address."""
    port = free_port()
    arguments = ("--lan", "--https", "--host", HERE, "--https-port", str(port))
    return Home(server(arguments=arguments), port)


def test_a_club_is_founded_over_https_and_read_over_plain_http(home: Home) -> None:
    """Both ports lead to the same books; the terminal names both."""
    found = home.ask("POST", "/api/v1/clubs", secure=True, body=FOUND.decode())
    assert found[0] == 201
    token = json.loads(found[2])["token"]["secret"]
    assert token
    for secure in (True, False):
        status, headers, _ = home.ask("GET", "/", secure=secure)
        assert status == 200
        assert "strict-transport-security" not in headers
    assert f"HTTPS:   {home.url}/" in home.running.log
    assert "Address: http://127.0.0.1:" in home.running.log


def test_the_printed_fingerprint_is_that_of_the_certificate_served_over_plain_http(
    home: Home,
) -> None:
    """What a phone downloads, in the format it installs; the page shows the same fingerprint."""
    line = HTTPConnection(urlsplit(home.running.url).netloc, timeout=20)
    line.request("GET", "/trust/solo-ledger.crt")
    got = line.getresponse()
    assert got.getheader("Content-Type") == "application/x-x509-ca-cert"
    der = got.read()
    line.close()
    stored = certificates.load(home.running.folder / "https")
    assert stored is not None
    assert der == stored.authority.der
    printed = re.findall(r"^ {9}((?:[0-9A-F]{4} ){3}[0-9A-F]{4})$", home.running.log, re.MULTILINE)
    assert " ".join(printed) == stored.authority.fingerprint
    page = home.ask("GET", "/trust", secure=False)[2]
    assert re.findall(r"<code>((?:[0-9A-F]{4} ?){4})</code>", page) == printed


def test_a_server_without_https_has_no_page_about_trust(server: StartServer) -> None:
    """And offers none on its first page."""
    running = server()
    line = HTTPConnection(urlsplit(running.url).netloc, timeout=20)
    for path in ("/trust", "/trust/solo-ledger.crt", "/arrive"):
        line.request("GET", path)
        got = line.getresponse()
        got.read()
        assert got.status == 404
    line.request("GET", "/")
    assert b"/trust" not in line.getresponse().read()
    line.close()


def test_cookies_of_both_schemes_are_kept_apart(home: Home) -> None:
    """Browsers share cookies between ports, and let plain HTTP replace no secure one."""
    for secure, name in ((True, "__Host-solo-ledger="), (False, "solo-ledger=")):
        _, headers, _ = home.ask("GET", "/enter", secure=secure)
        made = headers["set-cookie"]
        assert made.startswith(name)
        assert ("Secure" in made) is secure
        assert "HttpOnly" in made


def test_idle_clients_and_unfinished_handshakes_hold_nobody_up(home: Home) -> None:
    """Neither those that send nothing nor those that send half a greeting, which are let go soon."""
    with ExitStack() as hanging:
        lines = [
            hanging.enter_context(socket.create_connection((HERE, home.port), timeout=30))
            for _ in range(300)
        ]
        for line in lines[:150]:
            line.sendall(b"\x16\x03\x01\x02\x00\x01")
        for line in lines[150:160]:
            line.sendall(head("GET", "/health"))
        begun = time.monotonic()
        assert home.ask("POST", "/api/v1/clubs", secure=True, body=FOUND.decode())[0] == 201
        assert time.monotonic() - begun < 3
        lines[0].settimeout(30)
        assert lines[0].recv(100) == b""
        assert 5 < time.monotonic() - begun < 25


def test_a_long_body_in_small_records_and_pipelined_requests_arrive_whole(home: Home) -> None:
    """The limits of the protocol work on what is decrypted."""
    with home.connected() as line:
        line.sendall(head("POST", "/api/v1/clubs", len(FOUND)))
        for at in range(0, len(FOUND), 7):
            line.sendall(FOUND[at : at + 7])
        assert answer(line).startswith(b"HTTP/1.1 201")
        line.sendall(head("GET", "/health") * 3)
        text = b""
        while text.count(b'{"status":"ok"}') < 3:
            text += line.recv(65_536)
    with home.connected() as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: h\r\nX: " + b"x" * 70_000)
        assert line.recv(65_536).startswith(b"HTTP/1.1 400")


def test_it_stops_though_clients_keep_tls_connections_open(home: Home) -> None:
    """They don't confirm the end of their connections."""
    with ExitStack() as hanging:
        for _ in range(3):
            line = hanging.enter_context(home.connected())
            line.sendall(head("GET", "/health"))
            assert answer(line).startswith(b"HTTP/1.1 200")
        begun = time.monotonic()
        home.running.stop()
        assert time.monotonic() - begun < 6
    assert home.running.process.poll() is not None


def test_https_needs_the_local_network(tmp_path: Path) -> None:
    """Elsewhere a proxy with a real certificate is the way."""
    done = CliRunner().invoke(main, ["serve", "--https"], env={"LEDGER_DATA_DIR": str(tmp_path)})
    assert done.exit_code == 2
    assert "add --lan" in done.stderr


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """A bound socket."""
    with socket.create_server((HERE, 0)) as bound:
        yield bound


def unpublished(address: str, port: int) -> PublishedName:
    """A network that takes no name."""
    raise CannotPublish(f"no name is published ({address}:{port}).")


@pytest.fixture
def begin(
    tmp_path: Path, listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[], str | None]], HomeHttps]:
    """Make the HTTPS side of a server at an address, without a published name."""
    monkeypatch.setattr(mdns, "publish", unpublished)
    return lambda find: HomeHttps(tmp_path / "https", find, 8000, listening)


def served(https: HomeHttps) -> bytes:
    """The certificate that a new connection gets."""
    ours, theirs = socket.socketpair()
    asking = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    asking.check_hostname, asking.verify_mode = False, ssl.CERT_NONE
    ours.setblocking(False)
    theirs.setblocking(False)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = asking.wrap_bio(incoming, outgoing)
    server = https.context.wrap_bio(outgoing, incoming, server_side=True)
    for _ in range(4):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    ours.close()
    theirs.close()
    return client.getpeercert(binary_form=True) or b""


def test_another_address_gets_a_certificate_for_new_connections_without_a_restart(
    begin: Callable[[Callable[[], str | None]], HomeHttps], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine is looked at every minute; one that has lost its network keeps its address."""
    address: list[str | None] = ["192.168.1.5"]
    https = begin(lambda: address[0])
    monkeypatch.setattr(home_https, "LOOKS_EVERY", 0.01)
    first = served(https)

    async def followed(name: str) -> None:
        renewing = asyncio.create_task(https.keep_renewed())
        while name not in https.home.certificates.names or served(https) == first:
            await asyncio.sleep(0.01)
        renewing.cancel()

    address[0] = None
    assert not https.look()
    address[0] = "192.168.1.77"
    in_a_loop_of_its_own(followed("192.168.1.77"))
    assert "192.168.1.5" not in https.home.certificates.names


def test_an_address_beyond_the_limits_is_reported_and_the_name_still_works(
    begin: Callable[[Callable[[], str | None]], HomeHttps],
) -> None:
    """The notice names the networks and both ways out."""
    address = ["192.168.1.5"]
    https = begin(lambda: address[0])
    address[0] = "10.0.0.5"
    assert https.look()
    assert https.home.certificates.names == (mdns.own_name(),)
    assert "may not vouch for 10.0.0.5, only for 192.168.1.0/24" in https.notices[0]
    assert "no name is published" in https.notices[1]


def test_without_a_network_there_is_no_authority_yet(
    begin: Callable[[Callable[[], str | None]], HomeHttps], tmp_path: Path
) -> None:
    """It would be limited to this machine for ten years."""
    with pytest.raises(certificates.NoCertificate, match="Connect it first"):
        begin(lambda: None)
    assert not (tmp_path / "https").exists()


def test_a_failure_to_renew_is_logged_and_tried_again(
    begin: Callable[[Callable[[], str | None]], HomeHttps],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Such as a full disk; the server goes on with the certificate it has."""
    https = begin(lambda: "192.168.1.5")
    monkeypatch.setattr(home_https, "LOOKS_EVERY", 0.01)
    monkeypatch.setattr(home_https, "now", lambda: now() + timedelta(days=390))
    tries = []

    def full(*_: object, **__: object) -> None:
        tries.append(1)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(certificates, "_write", full)

    async def tried() -> None:
        renewing = asyncio.create_task(https.keep_renewed())
        while len(tries) < 3:
            await asyncio.sleep(0.01)
        renewing.cancel()

    in_a_loop_of_its_own(tried())
    (logged,) = caplog.messages
    assert "the HTTPS certificate was not renewed" in logged
    assert "No space left on device" in logged
