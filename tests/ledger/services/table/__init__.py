"""Tests of `ledger.services.table`."""
