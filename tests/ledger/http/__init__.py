"""Tests of `ledger.http.failures`."""
