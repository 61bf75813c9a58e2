"""Tests of `ledger.http`."""
