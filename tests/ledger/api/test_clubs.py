"""Clubs, tokens and players over the API."""

from flask import Flask

from ledger.clock import now
from ledger.db import Database
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
    sent = {"name": "Friday", "passcode": "four aces"}
    assert anyone.post("/clubs", sent).json["token"]["label"] == "scorer"


def test_a_clubs_name_is_one_of_its_kind(anyone: Caller) -> None:
    """The second is refused at the field."""
    anyone.post("/clubs", FRIDAY)
    refused = anyone.post("/clubs", {**FRIDAY, "name": " FRIDAY "})
    assert refused.status_code == 409
    assert "another name" in faults(refused)["name"]


def test_founding_many_clubs_is_slowed_down(anyone: Caller, database: Database) -> None:
    """It is the only write that needs no token. What is refused does not count."""
    allowed = 20
    taken = anyone.post("/clubs", {**FRIDAY, "passcode": "short"})
    assert (taken.status_code, taken.headers["X-RateLimit-Remaining"]) == (422, "20")
    answers = [anyone.post("/clubs", {**FRIDAY, "name": f"Club {n}"}) for n in range(allowed + 1)]
    assert [answer.status_code for answer in answers] == [201] * allowed + [429]
    assert answers[-1].json["code"] == "too-many"
    assert row_counts(database)["club"] == allowed


def test_who_founds_is_told_how_often_they_may(anyone: Caller) -> None:
    """How often still, and until when; who may not is told how long to wait, and nobody else is."""
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
    assert "an hour at most" in refused.json["detail"]


def test_a_tokens_secret_is_shown_once(sue: Caller, app: Flask) -> None:
    """The list has labels and roles, newest first, and no secret."""
    made = sue.post("/tokens", {"label": "Scoreboard", "role": "viewer"})
    assert made.status_code == 201
    listed = sue.get("/tokens")
    assert [token["label"] for token in listed.json] == ["Scoreboard", "Sue's phone"]
    assert "secret" not in listed.json[0]
    assert made.json["secret"].encode() not in listed.data
    assert Caller(app, made.json["secret"]).get("/club").json["role"] == "viewer"


def test_a_role_is_scorer_or_viewer(sue: Caller) -> None:
    """Anything else is refused at the field."""
    refused = sue.post("/tokens", {"label": "Ann", "role": "owner"})
    assert refused.status_code == 422
    assert "scorer or viewer" in faults(refused)["role"]


def test_a_new_viewer_link_shuts_the_old_one(sue: Caller, app: Flask) -> None:
    """Scorers are shown it; a browser follows it."""
    browser = app.test_client()
    old = sue.get("/club").json["viewer_link"]
    assert browser.get(old).status_code < 400
    renewed = sue.post("/club/viewer-link")
    assert renewed.status_code == 201
    new = renewed.json["viewer_link"]
    assert sue.get("/club").json["viewer_link"] == new
    assert browser.get(old).status_code == 404
    assert browser.get(new).status_code < 400


def test_a_new_passcode_must_be_long_enough(sue: Caller) -> None:
    """Five characters are refused, eight are taken."""
    refused = sue.call("PATCH", "/club/passcode", {"passcode": "abcde"})
    assert "at least 6" in faults(refused)["passcode"]
    assert sue.call("PATCH", "/club/passcode", {"passcode": "new code"}).status_code == 200


def test_players_are_listed_by_name_and_renamed(sue: Caller) -> None:
    """A taken name is refused."""
    bob = sue.post("/players", {"name": "Bob"}).json
    sue.post("/players", {"name": "Ann"})
    assert [player["name"] for player in sue.get("/players").json] == ["Ann", "Bob"]
    path = f"/players/{bob['id']}"
    assert sue.call("PATCH", path, {"name": "Bobby"}).json == {**bob, "name": "Bobby"}
    taken = sue.call("PATCH", path, {"name": "ANN"})
    assert (taken.status_code, taken.json["code"]) == (409, "name-taken")
