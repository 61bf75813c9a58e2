"""A club with every kind of row, on either database."""

from collections.abc import Iterator
from typing import Any

import pytest

from ledger.database.access import Access, Role
from ledger.services.money import expenses
from tests.ledger import table
from tests.ledger.conftest import migrated
from tests.ledger.evenings import CardClub
from tests.ledger.services.audit.books import signed_ledger


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def ours(request: pytest.FixtureRequest) -> Iterator[CardClub]:
    """A club with loans, corrections, leaving, money, payments and an evening of scores."""
    with migrated(request) as empty:
        club = CardClub(signed_ledger(empty).db, Access(1, Role.OWNER, "Sue"))
        scores = club.start(table.FOUR, "german-solo")
        scores.record(table.german_solo("Ann"))
        scores.record(table.german_solo("Bob", made=False))
        scores.void(2)
        cost: Any = {"title": "Pizza; drinks", "amount": 1000, "payer": "Ann"}
        among = [("Ann", 1), ("Bob", 2), ("Cyd", 1)]
        for separate in (False, True):
            club.do(expenses.share, **cost, shared_by=among, separate=separate)
        yield club
