"""Tests of `ledger.services.common`."""
