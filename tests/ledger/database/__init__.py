"""Tests of `ledger.database`."""
