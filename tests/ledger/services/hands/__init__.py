"""Tests of `ledger.services.hands`."""
