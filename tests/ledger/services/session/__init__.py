"""Tests of `ledger.services.session`."""
