"""HTTPS at home in a browser that trusts the server's authority, and the move there during an evening."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Error, Page, expect

from ledger.http.reader_language import COOKIE
from ledger.keeping import certificates
from ledger.keeping.certificates import Issued
from ledger.runtime.clock import now
from ledger.server import mdns
from tests.browser.conftest import seated
from tests.browser.pages import ScorerPhone
from tests.browser.test_legible import barriers, by_night, weak_colours
from tests.browser.test_outbox import GO_ALONE, kept
from tests.browser.waiting import draft_kept
from tests.support import chromium
from tests.support.needs import unavailable
from tests.support.phone import Phones
from tests.support.server import Server, answering, fork_server, free_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

HERE = "127.0.0.1"
BANK = "bank.test"
NAME = mdns.own_name()
"""A name of this machine that is in the certificate, and that browsers hold for another machine's."""

DRAFTS = """async () => {
    const drafts = await window.soloOutbox.all("drafts");
    return drafts.map((draft) => [draft.at, draft.fields]);
}"""


class Home(NamedTuple):
    """A home server, its address over plain HTTP, and its port for HTTPS."""

    service: Server
    plain: str
    https_port: int

    @property
    def secure(self) -> str:
        """Its address over HTTPS."""
        return f"https://{NAME}:{self.https_port}"

    def restarted(self) -> Server:
        """The server with HTTPS, over the same books and at the same address as before."""
        options = ("--lan", "--https", "--host", HERE, "--https-port", str(self.https_port))
        port = urlsplit(self.plain).port
        return answering(fork_server(self.service.folder, port=port, arguments=options))


@pytest.fixture
def home(service: Server) -> Home:
    """A server that speaks plain HTTP only, with an authority made before."""
    folder = service.folder / "https"
    certificates.load_or_create(folder, HERE, "pi", now())
    return Home(service, service.url.replace(HERE, NAME), free_port())


def authority(service: Server) -> Issued:
    """The authority of a server."""
    stored = certificates.load(service.folder / "https")
    assert stored is not None
    return stored.authority


@pytest.fixture
def trusting(browser: "Browser", home: Home, tmp_path: Path) -> Iterator[Phones]:
    """Phones that trust the server's authority, and nothing else that no browser trusts."""
    if not shutil.which("certutil"):
        unavailable(
            "No certutil was found: install it (on Debian and Ubuntu `apt install libnss3-tools`)."
        )
    store = tmp_path / ".pki" / "nssdb"
    store.mkdir(parents=True)
    file = tmp_path / "authority.crt"
    file.write_bytes(authority(home.service).der)
    for how in (("-N", "--empty-password"), ("-A", "-t", "C,,", "-n", "solo", "-i", str(file))):
        subprocess.run(["certutil", *how, "-d", f"sql:{store}"], check=True, timeout=30)
    rules = ", ".join(f"MAP {name} {HERE}" for name in (NAME, BANK))
    own = browser.browser_type.launch(
        executable_path=chromium.find_chromium(),
        args=[*chromium.ARGUMENTS, f"--host-resolver-rules={rules}"],
        env={**os.environ, "HOME": str(tmp_path)},
        timeout=60_000,
    )
    phones = Phones(own)
    yield phones
    phones.close()
    own.close()


@contextmanager
def answering_over_tls(issued: Issued, file: Path) -> Iterator[int]:
    """A server on a free port with a certificate, for one page."""
    certificates._write(file, issued, replace=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)

    def answer() -> None:
        while True:
            try:
                line, _ = listening.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(line, server_side=True) as secure:
                    secure.recv(65_536)
                    secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            except OSError:
                line.close()

    with socket.create_server((HERE, 0)) as listening:
        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def test_a_browser_believes_the_authority_about_home_and_about_nothing_else(
    home: Home, trusting: Phones, tmp_path: Path
) -> None:
    """Should its key be stolen, a bank stays a bank."""
    page = trusting()
    for name, is_believed in ((NAME, True), (BANK, False)):
        issued = certificates._new_server(authority(home.service), [name], now())
        with answering_over_tls(issued, tmp_path / "server.pem") as port:
            if is_believed:
                page.goto(f"https://{name}:{port}/")
                expect(page.locator("body")).to_have_text("ok")
            else:
                with pytest.raises(Error, match="ERR_CERT_INVALID"):
                    page.goto(f"https://{name}:{port}/")


def test_over_https_pages_open_without_the_server_and_the_program_can_be_installed(
    home: Home, trusting: Phones
) -> None:
    """What plain HTTP at home withholds: a reload without the server shows the page, or one that says so."""
    home.service.stop()
    revived = home.restarted()
    try:
        page = trusting(home.secure, installs=True)
        scorer = ScorerPhone(page)
        scorer.start_club("Kitchen table", "four aces", "Mia")
        assert page.evaluate("isSecureContext && 'wakeLock' in navigator")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        assert {each["name"] for each in page.context.cookies()} >= {"__Host-solo-ledger"}
        expect(page.get_by_role("heading", name="Kitchen table")).to_be_visible()
    finally:
        revived.stop()
    page.reload()
    expect(page.get_by_role("heading", name="Kitchen table")).to_be_visible()
    page.goto("/display")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()


def test_moving_to_https_in_the_middle_of_an_evening_loses_no_hand(
    home: Home, trusting: Phones
) -> None:
    """One waits to be sent, a loan is half entered, and all pages are closed when the server has HTTPS."""
    phone = trusting(home.plain)
    scorer = seated(home.service, phone, by_passcode=True)
    board = scorer.session_path()
    assert scorer.page.evaluate("isSecureContext") is False
    half = phone.context.new_page()
    half.goto(f"{board}/bank")
    half.get_by_label("Chips", exact=True).press_sequentially("35")
    draft_kept(half)
    half.close()
    scorer.open_hand()
    scorer.fill_hand(GO_ALONE)
    home.service.kill()
    phone.get_by_role("button", name="Save hand 1").tap()
    kept(phone)
    scanned = phone.context.new_page()
    phone.close()
    revived = home.restarted()
    trusting.complaints.clear()  # of the outage
    try:
        scanned.goto("/trust")
        scanned.get_by_role("button", name="Continue over HTTPS").tap()
        scanned.wait_for_url(f"{home.secure}/")
        scanned.get_by_role("link", name="Kitchen table").tap()
        expect(scanned.get_by_role("heading", name="Kitchen table")).to_be_visible()
        scanned.goto(f"{home.secure}{board}")
        expect(scanned.get_by_text("1 hand.")).to_be_visible()
        expect(scanned.locator("#pending")).to_be_hidden()
        scanned.goto(f"{home.secure}{board}/bank")
        expect(scanned.get_by_label("Chips", exact=True)).to_have_value("35")
        assert scanned.evaluate("location.hash") == ""
        again = ScorerPhone(scanned)
        scanned.goto(f"{home.secure}{board}")
        assert again.score_hand(GO_ALONE)["Ann"] > 0
        scanned.goto(f"{home.plain}{board}")
        expect(scanned.get_by_text("2 hands.")).to_be_visible()
        assert trusting.complaints == []
    finally:
        revived.stop()


def test_nothing_on_the_pages_about_https_bars_anybody_from_them(
    home: Home, trusting: Phones
) -> None:
    """Over plain HTTP and over HTTPS, by day and by night, with the longest words."""
    home.service.stop()
    revived = home.restarted()
    try:
        phone = trusting(home.plain)
        phone.route("**/arrive.*.js", lambda route: route.abort())  # it would lead on
        for language in ("en", "de", "ja"):
            phone.context.add_cookies([{"name": COOKIE, "value": language, "url": home.plain}])
            for address in (f"{home.plain}/trust", f"{home.secure}/trust", f"{home.secure}/arrive"):
                phone.goto(address)
                found = [*barriers(phone), *by_night(phone, lambda: weak_colours(phone))]
                assert found == [], f"{address} in {language}"
    finally:
        revived.stop()


def unsent(page: Page, *entries: dict[str, object]) -> None:
    """Put forms into a page's outbox."""
    for entry in entries:
        put = "(entry) => window.soloOutbox.put('outbox', entry)"
        page.evaluate(put, {"fields": [], "words": "", "what": "Hand 1", **entry})


def test_what_was_refused_is_looked_at_before_the_move(home: Home, trusting: Phones) -> None:
    """It can't be decided elsewhere, so the link waits; it leads to the page that shows it."""
    phone = trusting(home.plain)
    seated(home.service, phone, by_passcode=True)
    home.service.kill()
    revived = home.restarted()
    try:
        phone.goto("/trust?next=/clubs/1")
        entry = {"key": "a", "address": "/clubs/1/sessions/1/hands/new", "club": "/clubs/1"}
        unsent(phone, {**entry, "state": "refused", "why": "Somebody else was first."})
        going = phone.get_by_role("button", name="Continue over HTTPS")
        expect(going).to_be_hidden()
        phone.get_by_role("link", name="Look at it first").tap()
        expect(phone.locator("#pending")).to_contain_text("Somebody else was first.")
        phone.get_by_role("button", name="Discard mine").tap()
        expect(phone.locator("#pending")).to_be_hidden()
        phone.goto("/trust?next=/clubs/1")
        going.tap()
        phone.wait_for_url(f"{home.secure}/clubs/1")
    finally:
        revived.stop()


def test_the_move_waits_for_what_is_still_being_sent(home: Home, trusting: Phones) -> None:
    """The address changes once the server has answered, not before."""
    phone = trusting(home.plain)
    seated(home.service, phone, by_passcode=True)
    home.service.kill()
    revived = home.restarted()
    try:
        phone.goto("/trust")
        phone.route("**/bank", lambda route: route.abort())
        entry = {"key": "a", "address": "/clubs/1/sessions/1/bank", "club": "/clubs/1"}
        unsent(phone, {**entry, "state": "waiting"})
        going = phone.get_by_role("button", name="Continue over HTTPS")
        expect(phone.get_by_text("is sent first")).to_be_visible()
        expect(going).to_be_hidden()
        phone.unroute("**/bank")
        phone.evaluate("dispatchEvent(new Event('online'))")
        expect(phone.get_by_text("was not accepted")).to_be_visible()  # the form above is empty
    finally:
        revived.stop()


def test_more_drafts_than_an_address_holds_stay_where_they_are(
    home: Home, trusting: Phones
) -> None:
    """The page says so, instead of leaving them behind."""
    home.service.stop()
    revived = home.restarted()
    try:
        phone = trusting(home.plain)
        phone.goto("/trust")
        long = {"at": "/clubs/1/sessions/1/hands/new", "fields": [["cards", "A" * 100_000]]}
        phone.evaluate("(draft) => window.soloOutbox.put('drafts', draft)", long)
        phone.get_by_role("button", name="Continue over HTTPS").tap()
        expect(phone.get_by_text("too many half-entered hands")).to_be_visible()
        expect(phone.get_by_role("button", name="Continue over HTTPS")).to_be_hidden()
    finally:
        revived.stop()


def test_only_the_page_of_this_server_hands_drafts_over(home: Home, trusting: Phones) -> None:
    """A stranger's link with drafts in it fills in nothing, nor does one that is no such text."""
    home.service.stop()
    revived = home.restarted()
    try:
        phone = trusting(home.plain)
        drafts = [{"at": "/clubs/1/sessions/1/bank", "fields": [["amount", "35"]]}]
        stranger = quote(json.dumps({"ticket": "stranger", "drafts": drafts}))
        for fragment in (stranger, "%", quote('{"ticket": null, "drafts": []}')):
            phone.goto(f"{home.secure}/arrive?next=/display#{fragment}")
            phone.wait_for_url(f"{home.secure}/display")
            assert phone.evaluate(DRAFTS) == []
        own = {"name": "solo-ledger-move", "value": "own", "url": home.plain}
        odd = [*drafts, {"at": 3, "fields": []}, {"at": "/x", "fields": [["a"]]}, None]
        for number in (1, 2):  # the second finds a draft of its own, and is put behind it
            phone.context.add_cookies([own])  # type: ignore[list-item]
            passed = quote(json.dumps({"ticket": "own", "drafts": odd}))
            phone.goto(f"{home.secure}/arrive?next=/display#{passed}")
            phone.wait_for_url(f"{home.secure}/display")
            assert len(phone.evaluate(DRAFTS)) == number
        assert {at for at, _ in phone.evaluate(DRAFTS)} == {
            "/clubs/1/sessions/1/bank",
            "/clubs/1/sessions/1/bank aside",
        }
    finally:
        revived.stop()
