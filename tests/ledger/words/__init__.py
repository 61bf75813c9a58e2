"""Tests of `ledger.words`."""
