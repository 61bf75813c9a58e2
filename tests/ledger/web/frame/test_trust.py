"""The page about the server's certificate, and the move from plain HTTP to HTTPS."""

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.keeping.certificates import Home, load_or_create
from ledger.runtime.clock import now
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from tests.ledger import table
from tests.ledger.conftest import PASSCODE

ADDRESS = "192.168.1.5"
PLAIN, SECURE = f"http://{ADDRESS}:8000", f"https://{ADDRESS}:8443"


@pytest.fixture
def home(settings: Settings, database: Database, tmp_path: Path) -> Flask:
    """The pages of a server that speaks both."""
    made = load_or_create(tmp_path / "https", ADDRESS, "pi", now())
    made.renew([ADDRESS, "solo-ledger.local"], now())
    return create_app(settings, database, Home(made, 8000, 8443))


def continues(client: FlaskClient, base: str, path: str = "/trust", agent: str = "") -> str:
    """The address that the page's link to HTTPS leads to."""
    page = client.get(path, base_url=base, headers={"User-Agent": agent}).text
    found = re.search(r'id="move" href="([^"]*)"', page)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("base", "host"),
    [
        (PLAIN, ADDRESS),
        ("http://solo-ledger.local:8000", "solo-ledger.local"),
        ("http://SOLO-LEDGER.local.:8000", "solo-ledger.local."),
        ("http://a-stranger.example:8000", ADDRESS),
        ("http://192.168.1.99:8000", ADDRESS),
    ],
)
def test_the_link_keeps_the_host_that_the_certificate_is_for(
    home: Flask, base: str, host: str
) -> None:
    """Cookies are a host's, so the device stays in its clubs; another host gets one that is certified."""
    link = continues(home.test_client(), base)
    assert link.lower() == f"https://{host}:8443/arrive?next=/"


def test_the_link_leads_back_to_a_page_of_this_site_only(home: Flask) -> None:
    """A stranger's address is left out."""
    client = home.test_client()
    assert continues(client, PLAIN, "/trust?next=/clubs/1").endswith("/arrive?next=/clubs/1")
    assert continues(client, PLAIN, "/trust?next=//b.example").endswith("/arrive?next=/")
    assert 'href="/"' in client.get("/arrive?next=https://b.example", base_url=SECURE).text


@pytest.mark.parametrize(
    ("agent", "steps"),
    [("iPhone", "iPhone and iPad"), ("Android", "Android"), ("X11; Linux", "Computer")],
)
def test_the_steps_of_the_devices_own_kind_are_open(home: Flask, agent: str, steps: str) -> None:
    """The others can be opened, too."""
    page = home.test_client().get("/trust", base_url=PLAIN, headers={"User-Agent": agent}).text
    opened = re.findall(r"<details[^>]* open>\s*<summary>([^<]*)", page)
    assert opened == [steps]
    assert page.count("<details") == 4


def test_the_page_states_what_the_certificate_may_vouch_for(home: Flask) -> None:
    """In the reader's language; over HTTPS it offers no move."""
    client = home.test_client()
    page = client.get("/trust", base_url=PLAIN).text
    assert "only about addresses 192.168.1.0–192.168.1.255 and names that end in" in page
    german = client.get("/trust", base_url=SECURE, headers={"Accept-Language": "de"}).text
    assert "nur über die Adressen 192.168.1.0–192.168.1.255" in german
    assert 'id="move"' not in german
    assert "/trust" in client.get("/", base_url=PLAIN).text
    assert "/trust" not in client.get("/", base_url=SECURE).text


def entered(client: FlaskClient, base: str, club: Access) -> None:
    """Let a device into the club by its passcode."""
    page = client.get("/enter", base_url=base).text
    token = re.search(r'name="csrf_token" value="([^"]*)"', page)
    assert token
    form = {"csrf_token": token[1], "name": "Kitchen Table", "passcode": PASSCODE, "author": "Mia"}
    answer = client.post("/enter", data=form, base_url=base, headers={"Referer": f"{base}/enter"})
    assert answer.status_code == 303, answer.text
    assert client.get(f"/clubs/{club.club_id}", base_url=base).status_code == 200


def test_a_device_is_in_its_clubs_on_arrival_and_stays_in_them_over_plain_http(
    home: Flask, club: Access
) -> None:
    """Until then HTTPS doesn't know it, as its cookie there is another one."""
    client = home.test_client()
    entered(client, PLAIN, club)
    assert client.get(f"/clubs/{club.club_id}", base_url=SECURE).status_code == 401
    assert client.get("/arrive", base_url=SECURE).status_code == 200
    for base in (SECURE, PLAIN):
        assert client.get(f"/clubs/{club.club_id}", base_url=base).status_code == 200


def test_a_device_of_https_can_still_enter_over_plain_http(home: Flask, club: Access) -> None:
    """The secure cookie is not in the way, and arriving again changes nothing in it."""
    client = home.test_client()
    entered(client, SECURE, club)
    assert client.get(f"/clubs/{club.club_id}", base_url=PLAIN).status_code == 401
    entered(client, PLAIN, club)
    before = client.get_cookie("__Host-solo-ledger", ADDRESS)
    client.get("/arrive", base_url=SECURE)
    after = client.get_cookie("__Host-solo-ledger", ADDRESS)
    assert before
    assert after
    assert client.get(f"/clubs/{club.club_id}", base_url=SECURE).status_code == 200


def test_a_cookie_that_nobody_signed_lets_nobody_in(home: Flask, club: Access) -> None:
    """Nor does arriving over plain HTTP do anything."""
    client = home.test_client()
    client.set_cookie("solo-ledger", "forged", domain=ADDRESS)
    for base in (PLAIN, SECURE):
        assert client.get("/arrive", base_url=base).status_code == 200
    assert client.get(f"/clubs/{club.club_id}", base_url=SECURE).status_code == 401


def test_links_to_send_lead_to_plain_http(home: Flask, database: Database, club: Access) -> None:
    """Whoever opens them may not trust the certificate; the page for sharing offers HTTPS itself."""
    table.viewer_key(database, club)
    client = home.test_client()
    for base, offered in ((PLAIN, True), (SECURE, False)):
        entered(client, base, club)
        page = client.get(f"/clubs/{club.club_id}/share", base_url=base).text
        assert (f'href="/trust?next=/clubs/{club.club_id}"' in page) is offered
        assert f'value="{PLAIN}/v/' in page
