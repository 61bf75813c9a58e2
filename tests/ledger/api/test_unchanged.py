"""A change that changes nothing is refused as ``unchanged`` and writes nothing."""

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.books.transactions import Database
from tests.ledger.api.caller import Caller
from tests.ledger.table import HEARTS_74, PAYS_HEARTS_74, SEVEN, row_counts

NO_CHANGES: Mapping[str, tuple[str, str, Any]] = {
    "rules": ("PUT", "/rules", {"game": "crazy-solo"}),
    "rules spelled out": ("PUT", "/rules", {"game": "crazy-solo", "options": {"rounding": 5}}),
    "rate": ("PUT", "/rate", {"rate": {"chips": 10, "money": 5}}),
    "order of seats": ("PUT", "/seats", {"order": list(SEVEN)}),
    "coming back": ("POST", "/seats/come-back", {"player": "Bob"}),
    "resuming": ("POST", "/resume", None),
    "title": ("PATCH", "", {"title": "Friday"}),
    "correction": ("PUT", "/hands/1", {"hand": HEARTS_74, "reason": "why"}),
}


@pytest.mark.parametrize("change", NO_CHANGES)
def test_a_change_of_a_session_without_effect_writes_nothing(
    sue: Caller, database: Database, change: str
) -> None:
    """The undo that follows reverses the last real change: the rate, not the hand before it."""
    path = sue.start(title="Friday")
    sue.post(f"{path}/hands", HEARTS_74)
    sue.put(f"{path}/rate", {"rate": {"chips": 10, "money": 5}})
    before = row_counts(database)
    method, address, body = NO_CHANGES[change]
    refused = sue.call(method, f"{path}{address}", body)
    assert (refused.status_code, refused.json["code"]) == (409, "unchanged")
    assert row_counts(database) == before
    assert sue.post(f"{path}/undo").json["undone"] == "rate-set"
    assert sue.balances(path) == PAYS_HEARTS_74


def test_a_change_of_the_club_without_effect_writes_nothing(
    sue: Caller, database: Database
) -> None:
    """A player's name, mark, picture, whether they are archived, and the club's money."""
    player = sue.post("/players", {"name": "Ann"}).json["id"]
    money = {"currency": "EUR", "denominations": [5, 20, 30]}
    before = row_counts(database)
    for method, address, body in (
        ("PATCH", f"/players/{player}", {"name": "Ann"}),
        ("PUT", f"/players/{player}/archived", {"archived": False}),
        ("PUT", f"/players/{player}/mark", {"colour": 0, "emoji": ""}),
        ("DELETE", f"/players/{player}/picture", None),
        ("PATCH", "/club/money", money),
    ):
        refused = sue.call(method, address, body)
        assert (refused.status_code, refused.json["code"]) == (409, "unchanged"), address
    assert row_counts(database) == before
