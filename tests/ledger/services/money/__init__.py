"""Tests of `ledger.services.money`."""
