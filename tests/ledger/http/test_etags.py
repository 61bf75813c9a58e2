"""Pages and API reads that are asked about again: 304 where the same would be answered, and only there."""

import gzip
import time

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.services.club import clubs, players, tokens
from tests.ledger import cash, table
from tests.ledger.conftest import PASSCODE
from tests.ledger.web.conftest import address, scorer, tonight, viewer
from tests.ledger.web.phone import Phone

__all__ = ["address", "scorer", "tonight", "viewer"]


def again(phone: Phone, path: str, seen: TestResponse, **headers: str) -> TestResponse:
    """Request a page again, with the copy in ``seen``."""
    said = {"If-None-Match": seen.headers["ETag"], **headers}
    return phone.client.get(path, headers=said)


@pytest.mark.parametrize("page", ["", "/history"])
def test_who_has_the_page_is_told_so_without_a_body(viewer: Phone, address: str, page: str) -> None:
    """Also where the page is compressed on its way, and however often it is asked."""
    copy = viewer.client.get(address + page, headers={"Accept-Encoding": "gzip"})
    assert (copy.status_code, copy.headers["Cache-Control"]) == (200, "private, no-cache")
    assert b"Ann" in gzip.decompress(copy.data)
    for way in ("gzip", "br", "identity"):
        answer = again(viewer, address + page, copy, **{"Accept-Encoding": way})
        assert (answer.status_code, answer.data) == (304, b"")
        assert answer.headers["ETag"] == copy.headers["ETag"]
        assert "Content-Encoding" not in answer.headers


def test_after_a_save_the_page_is_sent(
    viewer: Phone, address: str, database: Database, club: Access, tonight: int
) -> None:
    """For every writer: the next hand shows at once."""
    copy = viewer.client.get(address)
    table.record(database, club, tonight, cash.ANN_WINS)
    answer = again(viewer, address, copy)
    assert answer.status_code == 200
    assert "2 hands" in answer.text
    assert again(viewer, address, answer).status_code == 304


def test_a_player_of_another_name_is_seen(
    viewer: Phone, address: str, database: Database, club: Access
) -> None:
    """A name changes without a write to the session."""
    copy = viewer.client.get(address)
    ann = next(p for p in table.ask(database, club, players.everyone) if p.name == "Ann")
    players.rename(table.write(database, club), ann.id, name="Anna")
    assert "Anna" in again(viewer, address, copy).text


def test_a_viewer_has_another_page_than_a_scorer(
    scorer: Phone, viewer: Phone, address: str
) -> None:
    """The copy of one device does not answer the other."""
    path = f"{address}/history"
    copy = scorer.client.get(path)
    assert again(viewer, path, copy).status_code == 200
    assert viewer.client.get(path).headers["ETag"] != copy.headers["ETag"]


def test_who_is_not_let_in_is_not_told_that_nothing_changed(
    app: Flask, viewer: Phone, address: str, database: Database
) -> None:
    """Neither a device of another club nor one that has left."""
    copy = viewer.client.get(address)
    clubs.create(database, name="Others", passcode="other aces", author="Zed")
    other = Phone(app)
    assert other.enter("Others", "other aces", "Zed").status == 303
    assert again(other, address, copy).status_code in {401, 404}
    assert again(Phone(app), address, copy).status_code == 401


def test_a_page_kept_still_sends_its_form(
    app: Flask, database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its CSRF token was signed for this device a while ago, and does; another device has another page."""
    phone = Phone(app)
    copy = phone.open("/enter")
    later = time.time() + 5
    monkeypatch.setattr(time, "time", lambda: later)
    assert phone.client.get("/enter").data != copy.response.data
    assert again(phone, "/enter", copy.response).status_code == 304
    assert again(Phone(app), "/enter", copy.response).status_code == 200
    name = table.ask(database, club, clubs.show).name
    filled = {"name": name, "passcode": PASSCODE, "author": "Mia"}
    assert phone.send(copy.form("/enter"), **filled).status == 303


@pytest.mark.parametrize("page", ["/hands/new", "/table", "/bank"])
def test_a_page_with_a_form_that_writes_once_is_not_kept(
    scorer: Phone, address: str, page: str
) -> None:
    """Its key would come back after it was used, and the next write would pass for the same."""
    answer = scorer.client.get(address + page)
    assert b'name="key"' in answer.data
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


def test_a_part_of_a_page_is_not_kept(viewer: Phone, address: str) -> None:
    """Going back to the address must show the page."""
    answer = viewer.client.get(address, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")


def test_an_api_read_is_asked_about_again(
    app: Flask, database: Database, club: Access, tonight: int
) -> None:
    """A list of hands is a 304 until there is another; so is the session, by its revision and more."""
    secret, _ = tokens.issue(database, club, label="tablet", role=Role.VIEWER)
    client, api = app.test_client(), f"/api/v1/sessions/{tonight}"
    let_in = {"Authorization": f"Bearer {secret}"}
    copy = client.get(f"{api}/hands", headers=let_in)
    asked = {**let_in, "If-None-Match": copy.headers["ETag"]}
    assert client.get(f"{api}/hands", headers=asked).status_code == 304
    assert client.get(f"{api}/hands", headers={**asked, "Authorization": ""}).status_code == 401
    session = client.get(api, headers={**let_in, "Accept-Encoding": "gzip"})
    assert session.headers["ETag"].startswith('"2-')
    kept = {**let_in, "If-None-Match": session.headers["ETag"]}
    assert client.get(api, headers=kept).status_code == 304
    table.record(database, club, tonight, cash.ANN_WINS)
    assert client.get(f"{api}/hands", headers=asked).status_code == 200


def test_nobody_keeps_the_viewer_link(app: Flask, database: Database, club: Access) -> None:
    """It is a secret, wherever it is shown."""
    secret, _ = tokens.issue(database, club, label="tablet", role=Role.SCORER)
    table.viewer_key(database, club)
    answer = app.test_client().get("/api/v1/club", headers={"Authorization": f"Bearer {secret}"})
    assert "/v/" in answer.get_json()["viewer_link"]
    assert answer.headers["Cache-Control"] == "no-store"
