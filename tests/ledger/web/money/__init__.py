"""Tests of `ledger.web.money`."""
