"""Staging ledgers that are copied for each test of an import."""

import pytest


@pytest.fixture(autouse=True)
def _migrated_already(migrated_staging: None) -> None:
    """Use ``migrated_staging`` in every test."""
