"""Tests of `ledger.web.evening`."""
