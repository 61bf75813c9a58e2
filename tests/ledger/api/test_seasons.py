"""Seasons over the API, and the filter by a season."""

from typing import Any

import pytest

from tests.ledger.api.caller import Caller, faults
from tests.ledger.table import ALONE_85, HEARTS_74

YEAR: dict[str, Any] = {"name": "Spring", "first_day": "2026-03-01", "last_day": "2026-05-31"}


@pytest.fixture(autouse=True)
def _evenings(sue: Caller) -> None:
    """An evening in the season, which Ann won, and one after it, which Cyd won."""
    for day, hand in (("2026-03-01", HEARTS_74), ("2026-06-01", ALONE_85)):
        sue.post(f"{sue.start(title=day, started_on=day)}/hands", hand)


def test_a_season_is_created_shown_changed_closed_reopened_and_deleted(
    sue: Caller, viewer: Caller
) -> None:
    """Viewers see it; rules left out have their defaults."""
    created = sue.post("/seasons", {**YEAR, "prize": "A ham"})
    assert created.status_code == 201
    season = created.json
    assert season == {
        "id": 1,
        **YEAR,
        "game": None,
        "method": "chips",
        "least_evenings": 0,
        "tie_breaks": [],
        "prize": "A ham",
        "closed_at": None,
    }
    assert viewer.get("/seasons").json == [season]
    shown = viewer.get("/seasons/1")
    assert (shown.json["season"], shown.json["unit"], shown.json["evenings"]) == (
        season,
        "chips",
        1,
    )
    first = shown.json["standings"][0]
    assert (first["place"], first["name"], first["total"], first["wins"]) == (1, "Ann", 120, 1)
    changed = sue.put("/seasons/1", {**YEAR, "method": "wins"})
    assert (changed.json["method"], changed.json["prize"]) == ("wins", "")
    assert sue.post("/seasons/1/close").json["closed_at"] is not None
    sue.post("/sessions/1/hands/1/void", {"reason": "misdeal"})
    shown = sue.get("/seasons/1").json
    assert shown["standings"][0]["total"] == 1
    assert [(each["name"], each["total_before"], each["total"]) for each in shown["changes"]] == [
        ("Ann", 1, 0),
        *((name, 0, 0) for name in ("Bob", "Cyd", "Dee", "Eve", "Fay", "Gus")),
    ]
    assert (
        sue.put("/seasons/1", YEAR).status_code,
        sue.call("DELETE", "/seasons/1").status_code,
    ) == (409, 409)
    assert sue.post("/seasons/1/reopen").json["closed_at"] is None
    assert sue.call("DELETE", "/seasons/1").json["name"] == "Spring"
    assert (sue.get("/seasons").json, sue.get("/seasons/1").status_code) == ([], 404)


def test_a_write_names_the_state_that_it_changes(sue: Caller) -> None:
    """With the tag of another state, also of one closed meanwhile, it is refused and saves nothing."""
    tag = sue.post("/seasons", YEAR).headers["ETag"]
    assert sue.get("/seasons/1").headers["ETag"].startswith(tag[:-1])
    changed = sue.put("/seasons/1", {**YEAR, "name": "March"}, headers={"If-Match": tag})
    assert changed.status_code == 200
    for method, path, body in (
        ("PUT", "/seasons/1", YEAR),
        ("POST", "/seasons/1/close", None),
        ("DELETE", "/seasons/1", None),
    ):
        assert sue.call(method, path, body, headers={"If-Match": tag}).status_code == 412
    fresh = sue.get("/seasons/1").headers["ETag"]
    assert sue.post("/seasons/1/close", headers={"If-Match": fresh}).status_code == 200


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"first_day": "2026-02-30"}, "first_day"),
        ({"last_day": "2026-02-01"}, "last_day"),
        ({"game": "poker"}, "game"),
        ({"method": "luck"}, "method"),
        ({"tie_breaks": ["wins", "wins"]}, "tie_breaks"),
        ({"least_evenings": -1}, "least_evenings"),
        ({"closed_at": None}, "closed_at"),
    ],
)
def test_a_wrong_rule_is_refused_at_its_field(
    sue: Caller, wrong: dict[str, Any], field: str
) -> None:
    """Nothing is created."""
    refused = sue.post("/seasons", {**YEAR, **wrong})
    assert refused.status_code == 422
    assert [*faults(refused)] == [field]
    assert sue.get("/seasons").json == []


def test_a_season_filters_what_days_and_a_game_filter(sue: Caller) -> None:
    """By its name, however it is spelled."""
    sue.post("/seasons", YEAR)
    days = "from=2026-03-01&to=2026-05-31"
    for path in (
        *("/club/statistics", "/club/records", "/club/ratings", "/head-to-head", "/evenings"),
        *("/sessions", "/players/1/statistics", "/players/1/evenings"),
    ):
        by_days = sue.get(f"{path}?{days}").json
        assert sue.get(f"{path}?season=%20spring").json == by_days, path
        assert sue.get(path).json != by_days, path
    file = sue.get("/club/export?format=csv-evenings&season=Spring").data
    assert file == sue.get(f"/club/export?format=csv-evenings&{days}").data


def test_a_season_with_a_game_filters_by_it_too(sue: Caller) -> None:
    """A player's evenings are limited by days only, because their totals run on."""
    sue.post("/seasons", {**YEAR, "game": "six-bid"})
    assert sue.get("/evenings?season=Spring").json == []
    assert sue.get("/club/statistics?season=Spring").json["games"] == []
    assert len(sue.get("/players/1/evenings?season=Spring").json) == 1


@pytest.mark.parametrize("others", ["from=2026-01-01", "to=2026-01-01", "game=frog"])
def test_a_season_is_sent_without_days_and_game(sue: Caller, others: str) -> None:
    """It has its own."""
    sue.post("/seasons", YEAR)
    refused = sue.get(f"/club/statistics?season=Spring&{others}")
    assert (refused.status_code, [*faults(refused)]) == (422, ["season"])


def test_an_unknown_season_is_refused_with_the_known_ones(sue: Caller) -> None:
    """At the parameter."""
    sue.post("/seasons", YEAR)
    refused = sue.get("/club/statistics?season=Autumn")
    assert refused.status_code == 422
    (fault,) = refused.json["errors"]
    assert (fault["code"], fault["legal"]) == ("unknown-season", ["Spring"])
