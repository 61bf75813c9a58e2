"""Ledgers that the tests of verifying share: each test rolls its changes back."""

import shutil
from collections.abc import Iterator

import pytest

from ledger.books.transactions import Database
from ledger.keeping import migrate
from tests.ledger.services.audit.books import SignedLedger, signed_ledger


@pytest.fixture(
    scope="package", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def ledger(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SignedLedger]:
    """Two clubs whose entries are signed, on either database."""
    if request.param == "sqlite":
        file = tmp_path_factory.mktemp("books") / "ledger.sqlite"
        shutil.copy(request.getfixturevalue("empty_books"), file)
        opened = Database(f"sqlite:///{file}")
    else:
        opened = Database(request.getfixturevalue("postgres_url")())
        migrate.upgrade(opened)
    yield signed_ledger(opened)
    opened.close()
