"""Tests of `ledger.web.frame`."""
