"""Tests of the ledger, laid out as it is."""

import pytest

pytest.register_assert_rewrite("tests.ledger.evenings", "tests.ledger.services.scenarios")
