"""Tests of `ledger.services.club`."""
