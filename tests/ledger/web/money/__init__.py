"""Tests of `ledger.web.money.money`."""
