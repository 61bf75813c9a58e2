"""Tests of `ledger.services.chips`."""
