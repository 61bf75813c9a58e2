"""Importing balances over the API."""

from typing import Any

import pytest

from tests.ledger.api.caller import Caller, faults
from tests.ledger.keeping.imports import foreign_files as files

PATH = "/club/money-imports"


def test_a_file_is_previewed_and_imported_once(sue: Caller) -> None:
    """A dry run writes nothing; the same file again adds nothing."""
    body = {"content": files.SPLITWISE}
    preview = sue.post(f"{PATH}?dry_run=true", body)
    assert (preview.status_code, preview.json["entries"]) == (200, 0)
    assert sue.get("/club/settlement").json["balances"] == []
    written = sue.post(PATH, body)
    assert written.status_code == 201
    assert written.json == {**preview.json, "entries": 1}
    assert written.json["changes"] == {"Ann": 3000, "Bob": -2000, "Cyd": -1000}
    assert sue.post(PATH, body).json["repeated"] == 2


def test_columns_and_members_are_chosen(sue: Caller) -> None:
    """A table needs columns; rejected rows have lines and reasons."""
    columns = {"date": 3, "text": 1, "cost": 2, "payer": 4, "members": 5, "order": "dmy"}
    body: dict[str, Any] = {"content": files.TRICOUNT, "format": "table", "columns": columns}
    body["members"] = {"Impacted to Ann": "Ann", "Impacted to Bob": None}
    answer = sue.post(PATH, body)
    assert (answer.status_code, answer.json["rows"]) == (201, 0)
    assert [row["line"] for row in answer.json["rejected"]] == [2, 3]
    refused = sue.post(PATH, body | {"all_or_nothing": True})
    assert [*faults(refused)] == ["file"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"content": ""}, "file"),
        ({"format": "word"}, "format"),
        ({"columns": {"date": 201}}, "columns.date"),
        ({"members": {"Zoe": "Ann"}}, "members"),
        ({"members": {"Ann": 3}}, "members.Ann.value"),
        ({"members": {"Ann": "<"}}, "members.0"),
        ({"reason": "x" * 501}, "reason"),
    ],
)
def test_an_invalid_request_is_refused_at_its_field(
    sue: Caller, change: dict[str, Any], field: str
) -> None:
    """With 422, and nothing is saved."""
    answer = sue.post(PATH, {"content": files.SPLITWISE} | change)
    assert answer.status_code == 422
    assert list(faults(answer)) == [field]
    assert sue.get("/club/settlement").json["balances"] == []
