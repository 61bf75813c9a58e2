"""Tests of `ledger.runtime`."""
