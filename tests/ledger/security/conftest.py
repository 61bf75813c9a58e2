"""Here passcodes are hashed as the service does it."""

import pytest


@pytest.fixture(autouse=True)
def _quick_passcodes() -> None:
    """Leave the hash as slow as it is."""
