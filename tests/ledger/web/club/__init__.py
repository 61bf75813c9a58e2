"""Tests of `ledger.web.club`."""
