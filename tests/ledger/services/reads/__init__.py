"""Tests of `ledger.services.reads`."""
