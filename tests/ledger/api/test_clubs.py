"""Clubs, tokens and players over the API."""

import re
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.runtime.clock import now
from ledger.services.club import devices
from ledger.services.club.passcodes import NOBODY
from tests.ledger import table
from tests.ledger.api.caller import Caller, faults
from tests.ledger.table import row_counts

FRIDAY = {"name": "Friday", "passcode": "four aces", "author": "Ann"}


def test_founding_a_club_gives_its_first_token(anyone: Caller, app: Flask) -> None:
    """No token is needed for it; the one it gives writes."""
    founded = anyone.post("/clubs", FRIDAY)
    assert founded.status_code == 201
    assert founded.json["token"]["label"] == "Ann"
    ann = Caller(app, founded.json["token"]["secret"])
    assert ann.get("/club").json == founded.json["club"]
    assert ann.post("/players", {"name": "山田"}).json["name"] == "山田"


def test_the_author_may_be_left_out(anyone: Caller) -> None:
    """The first token is then just "scorer"."""
    body = {"name": "Friday", "passcode": "four aces"}
    assert anyone.post("/clubs", body).json["token"]["label"] == "scorer"


def test_a_clubs_name_is_one_of_its_kind(anyone: Caller) -> None:
    """The second is refused at the field."""
    anyone.post("/clubs", FRIDAY)
    refused = anyone.post("/clubs", {**FRIDAY, "name": " FRIDAY "})
    assert refused.status_code == 409
    assert "another name" in faults(refused)["name"]


def test_founding_many_clubs_is_slowed_down(anyone: Caller, database: Database) -> None:
    """It is the only write that needs no token. Refused requests do not count."""
    allowed = 20
    response = anyone.post("/clubs", {**FRIDAY, "passcode": "short"})
    assert (response.status_code, response.headers["X-RateLimit-Remaining"]) == (422, "20")
    answers = [anyone.post("/clubs", {**FRIDAY, "name": f"Club {n}"}) for n in range(allowed + 1)]
    assert [answer.status_code for answer in answers] == [201] * allowed + [429]
    assert answers[-1].json["code"] == "too-many"
    assert row_counts(database)["club"] == allowed


def test_who_founds_is_told_how_often_they_may(anyone: Caller) -> None:
    """The remaining number and its time, for the founder; the wait, for a refused one; nothing for others."""
    founded = anyone.post("/clubs", FRIDAY)
    assert founded.headers["X-RateLimit-Limit"] == "20"
    assert founded.headers["X-RateLimit-Remaining"] == "19"
    assert int(founded.headers["X-RateLimit-Reset"]) > now().timestamp()
    assert "Retry-After" not in founded.headers
    for number in range(19):
        anyone.post("/clubs", {**FRIDAY, "name": f"Club {number}"})
    refused = anyone.post("/clubs", {**FRIDAY, "name": "One more"})
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 3600
    assert re.search(r"try again in (60|59) minutes", refused.json["detail"])
    assert refused.headers["X-RateLimit-Remaining"] == "0"
    assert refused.headers["X-RateLimit-Reset"] == founded.headers["X-RateLimit-Reset"]


def test_a_tokens_secret_is_shown_once(sue: Caller, app: Flask) -> None:
    """The list has labels and roles, newest first, and no secret."""
    created = sue.post("/tokens", {"label": "Scoreboard", "role": "viewer"})
    assert created.status_code == 201
    listed = sue.get("/tokens")
    assert [token["label"] for token in listed.json] == ["Scoreboard", "Sue's phone"]
    assert "secret" not in listed.json[0]
    assert created.json["secret"].encode() not in listed.data
    assert Caller(app, created.json["secret"]).get("/club").json["role"] == "viewer"


def test_a_role_is_owner_scorer_or_viewer(sue: Caller) -> None:
    """Anything else is refused at the field."""
    refused = sue.post("/tokens", {"label": "Ann", "role": "admin"})
    assert refused.status_code == 422
    assert "owner, scorer or viewer" in faults(refused)["role"]


def test_a_new_viewer_link_shuts_the_old_one(tom: Caller, app: Flask) -> None:
    """Scorers are shown it; a browser follows it."""
    browser = app.test_client()
    assert tom.get("/club").json["viewer_link"] is None
    old = tom.post("/club/viewer-link").json["viewer_link"]
    assert browser.get(old).status_code < 400
    renewed = tom.post("/club/viewer-link")
    assert renewed.status_code == 201
    new = renewed.json["viewer_link"]
    assert tom.get("/club").json["viewer_link"] == new
    assert browser.get(old).status_code == 404
    assert browser.get(new).status_code < 400


def test_a_new_passcode_must_be_long_enough(sue: Caller) -> None:
    """Five characters are refused, eight are taken."""
    refused = sue.call("PATCH", "/club/passcode", {"passcode": "abcde"})
    assert "at least 6" in faults(refused)["passcode"]
    assert sue.call("PATCH", "/club/passcode", {"passcode": "new code"}).status_code == 200


OWNERS_WRITES: list[tuple[str, str, Any]] = [
    ("PATCH", "/club/passcode", {"passcode": "new code"}),
    ("POST", "/tokens", {"label": "Scoreboard", "role": "viewer"}),
    ("DELETE", "/tokens/2", None),
    ("PATCH", "/devices/1", {"role": "viewer"}),
    ("DELETE", "/devices/1", None),
    ("POST", "/links", {"role": "viewer", "lasts": "week"}),
    ("DELETE", "/links/1", None),
]


@pytest.fixture
def tablet(database: Database, club: Access) -> None:
    """A scorer's device, and a link; each is number 1."""
    devices.admit(database, Access(club.club_id, Role.SCORER, "Tom"), NOBODY)
    table.viewer_key(database, club)


@pytest.mark.usefixtures("tablet")
def test_an_owner_sends_the_passcode_again(sue: Caller, tom: Caller, database: Database) -> None:
    """A scorer may not at all; without the header or with another passcode an owner may not either."""
    before = row_counts(database)
    for method, path, body in OWNERS_WRITES:
        refused = tom.call(method, path, body)
        assert (refused.status_code, refused.json["code"]) == (403, "owners-only"), path
        missing = sue.call(method, path, body, headers={"Club-Passcode": None})
        assert missing.status_code == 422, path
        assert "passcode" in faults(missing)["Club-Passcode"]
    wrong = sue.call("DELETE", "/tokens/1", headers={"Club-Passcode": "four+aces"})
    assert (wrong.status_code, wrong.json["code"]) == (403, "wrong-passcode")
    assert row_counts(database)["api_token"] == before["api_token"]
    for method, path, body in OWNERS_WRITES[1:]:
        assert sue.call(method, path, body).status_code in {200, 201}, path


def test_an_owners_token_that_guesses_waits_alone(sue: Caller, app: Flask) -> None:
    """Five wrong ones, then 429 with when to come again; another owner's token does not wait."""
    created = sue.post("/tokens", {"label": "Ann", "role": "owner"})
    wrong = {"Club-Passcode": "wrong"}
    tries = [sue.call("DELETE", "/tokens/1", headers=wrong) for _ in range(6)]
    assert [answer.status_code for answer in tries] == [403] * 5 + [429]
    assert int(tries[-1].headers["Retry-After"]) <= 15
    ann = Caller(app, created.json["secret"])
    assert ann.call("DELETE", "/tokens/1").status_code == 200


@pytest.mark.usefixtures("tablet")
def test_devices_are_listed_and_revoked(sue: Caller, tom: Caller) -> None:
    """For owners; each change is a line of the log."""
    (device,) = sue.get("/devices").json
    assert (device["role"], device["author"]) == ("scorer", "Tom")
    path = f"/devices/{device['id']}"
    assert sue.call("PATCH", path, {"role": "viewer"}).json["role"] == "viewer"
    assert sue.call("DELETE", path).status_code == 200
    assert sue.get("/devices").json == []
    assert sue.call("DELETE", path).status_code == 404
    kinds = [line["kind"] for line in sue.get("/log").json]
    assert kinds[:2] == ["device-revoked", "role-changed"]
    for owners in ("/devices", "/links", "/log", "/tokens"):
        assert tom.get(owners).json["code"] == "owners-only"


def test_a_club_keeps_an_owner(sue: Caller, app: Flask) -> None:
    """The token that it was founded with, until there is another owner; one that ends does not count."""
    founder = Caller(app, Caller(app).post("/clubs", FRIDAY).json["token"]["secret"])
    (own,) = founder.get("/tokens").json
    founder.post("/tokens", {"label": "for a week", "role": "owner", "days": 7})
    refused = founder.call("DELETE", f"/tokens/{own['id']}")
    assert (refused.status_code, refused.json["code"]) == (409, "last-owner")
    assert founder.get("/tokens").json[1]["revoked_at"] is None
    founder.post("/tokens", {"label": "tablet", "role": "owner"})
    assert founder.call("DELETE", f"/tokens/{own['id']}").status_code == 200
    assert founder.get("/club").status_code == 401
    documented = sue.get("/openapi.json").json["paths"]
    for path in ("/devices/{device_id}", "/links/{link_id}", "/tokens/{token_id}"):
        assert "409" in documented[f"/api/v1{path}"]["delete"]["responses"], path


def test_a_link_made_here_lets_a_browser_in(sue: Caller, app: Flask) -> None:
    """Until it is revoked; one for an owner lasts an evening at most."""
    created = sue.post("/links", {"role": "viewer", "lasts": "week"})
    assert created.status_code == 201
    browser = app.test_client()
    assert browser.get(created.json["address"]).status_code == 303
    (listed,) = sue.get("/links").json
    assert listed == created.json
    assert sue.call("DELETE", f"/links/{listed['id']}").json["address"] is None
    assert browser.get(created.json["address"]).status_code == 404
    refused = sue.post("/links", {"role": "owner", "lasts": "month"})
    assert "12 hours at most" in faults(refused)["lasts"]


def test_a_token_may_end_by_itself(sue: Caller) -> None:
    """After so many days."""
    created = sue.post("/tokens", {"label": "Scoreboard", "role": "viewer", "days": 7})
    assert created.json["expires_at"] > created.json["created_at"]
    refused = sue.post("/tokens", {"label": "Scoreboard", "role": "viewer", "days": 0})
    assert "1 to 3,650 days" in faults(refused)["days"]


def test_nobody_founds_a_club_where_sign_up_is_closed(
    anyone: Caller, app: Flask, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the operator, with LEDGER_SIGN_UP=closed."""
    closed = replace(app.extensions["ledger.settings"], sign_up_closed=True)
    monkeypatch.setitem(app.extensions, "ledger.settings", closed)
    refused = anyone.post("/clubs", FRIDAY)
    assert (refused.status_code, refused.json["code"]) == (403, "sign-up-closed")
    assert row_counts(database)["club"] == 0


def test_players_are_listed_by_name_and_renamed(sue: Caller) -> None:
    """A taken name is refused."""
    bob = sue.post("/players", {"name": "Bob"}).json
    sue.post("/players", {"name": "Ann"})
    assert [player["name"] for player in sue.get("/players").json] == ["Ann", "Bob"]
    path = f"/players/{bob['id']}"
    assert sue.call("PATCH", path, {"name": "Bobby"}).json == {**bob, "name": "Bobby"}
    response = sue.call("PATCH", path, {"name": "ANN"})
    assert (response.status_code, response.json["code"]) == (409, "name-taken")
