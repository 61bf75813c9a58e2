"""The order of checks: the access, then the existence of the addressed object, then the body."""

from typing import Any

import pytest

from ledger.books.transactions import Database
from tests.ledger.api.caller import BASE, Caller, faults
from tests.ledger.api.test_document import operations
from tests.ledger.table import HEARTS_74, row_counts

NOWHERE = dict.fromkeys(
    (
        *("session_id", "number", "player_id", "account_id", "entry_id", "token_id"),
        *("device_id", "link_id", "season_id", "expense_id"),
    ),
    "987654",
)


def test_where_there_is_nothing_no_fault_is_found_with_what_was_sent(sue: Caller) -> None:
    """Not with the body, its kind, its key or a parameter: at every operation that names something."""
    document = sue.get("/openapi.json").json
    named = [(m, path.removeprefix(BASE)) for m, path, _ in operations(document) if "_id}" in path]
    assert len(named) > 40
    for method, path in named:
        place = path.format(**NOWHERE)
        for more in (
            {"json": {"wrong": True}},
            {"data": "{", "content_type": "application/json"},
            {"data": "x", "content_type": "text/plain"},
            {"headers": {"Idempotency-Key": None, "If-Match": None}},
            {"query_string": {"wrong": "1", "page": "0"}},
        ):
            answer = sue.call(method, place, **more)
            assert answer.status_code == 404, (method, path, more)


@pytest.mark.parametrize("place", ["hands/9/void", "entries/99/take-back"])
def test_so_it_is_where_the_session_is_there(sue: Caller, place: str) -> None:
    """But not the hand or the entry in it."""
    path = sue.start()
    assert sue.post(f"{path}/{place}", {"wrong": True}).status_code == 404


def test_who_may_not_is_told_before_anything_else(anyone: Caller, viewer: Caller) -> None:
    """For any other fault of the request."""
    for asked in ("?dry_run=perhaps", "?dryrun=true"):
        assert anyone.post(f"/sessions/9/loans{asked}", {"wrong": True}).status_code == 401
        assert viewer.post(f"/sessions/9/loans{asked}", {"wrong": True}).status_code == 403


def test_a_parameter_that_nobody_heeds_is_refused(sue: Caller, database: Database) -> None:
    """A misspelt dry run does not write; the known parameters are named."""
    path = sue.start()
    before = row_counts(database)
    wrong: list[tuple[str, str, Any, str]] = [
        ("POST", f"{path}/hands?dryrun=true", HEARTS_74, "the parameters here are dry_run."),
        (
            "POST",
            f"{path}/loans?dryrun=true",
            {"player": "Ann", "chips": 5},
            "there are none here.",
        ),
        ("POST", f"{path}/close?dryrun=true", None, "there are none here."),
        ("POST", "/players?dryrun=true", {"name": "Zoë"}, "there are none here."),
        ("DELETE", "/tokens/1?dryrun=true", None, "there are none here."),
        (
            "GET",
            f"{path}/entries?dryrun=2",
            None,
            "the parameters here are after, page and page_size.",
        ),
        ("GET", f"{path}?dryrun=2", None, "there are none here."),
        ("GET", "/games?dryrun=2", None, "there are none here."),
    ]
    for method, place, body, says in wrong:
        refused = sue.call(method, place, body)
        assert refused.status_code == 422, place
        assert faults(refused)["dryrun"] == f"There is no such parameter; {says}"
    assert row_counts(database) == before


def test_a_refusal_is_not_kept_under_its_key(sue: Caller) -> None:
    """Nothing was written: the corrected request is sent with the same key, which then stores its answer."""
    path, key = f"{sue.start()}/loans", "the-key-of-this-loan"
    assert sue.post(path, {"player": "Zed", "chips": 5}, key=key).status_code == 422
    assert sue.post(path, {"player": "Ann", "chips": 5}, key=key).status_code == 201
    assert sue.post(path, {"player": "Zed", "chips": 5}, key=key).json["code"] == "key-reused"


def test_an_entry_of_a_hand_is_not_taken_back_but_said_to_be_one(sue: Caller) -> None:
    """It is there; the way is another."""
    path = sue.start()
    sue.post(f"{path}/hands", HEARTS_74)
    entry = sue.get(f"{path}/hands/1").json["versions"][0]["entry"]
    refused = sue.post(f"{path}/entries/{entry}/take-back", {"reason": "why"})
    assert (refused.status_code, refused.json["code"]) == (409, "cannot-take-back")
    assert "entry of hand 1; correct or void that hand instead" in refused.json["detail"]
    sue.post(f"{path}/hands/1/void", {"reason": "misdeal"})
    refused = sue.put(f"{path}/hands/1", {"hand": HEARTS_74, "reason": "why"})
    assert (refused.status_code, refused.json["code"]) == (409, "already-void")
    assert "to correct it, restore it first" in refused.json["detail"]
