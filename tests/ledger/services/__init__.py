"""Tests of the services, each by what it does for the people at the table."""

import pytest

pytest.register_assert_rewrite("tests.ledger.evenings", "tests.ledger.services.scenarios")
