"""Ledgers that the tests of verifying share: each test rolls its changes back."""

from collections.abc import Iterator

import pytest

from tests.ledger.conftest import migrated
from tests.ledger.services.audit.books import SignedLedger, signed_ledger


@pytest.fixture(
    scope="package", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def ledger(request: pytest.FixtureRequest) -> Iterator[SignedLedger]:
    """Two clubs with signed entries, on either database."""
    with migrated(request) as empty:
        yield signed_ledger(empty)
