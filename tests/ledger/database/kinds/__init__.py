"""Tests of `ledger.database.kinds`."""
