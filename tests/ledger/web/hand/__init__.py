"""Tests of `ledger.web.hand`."""
