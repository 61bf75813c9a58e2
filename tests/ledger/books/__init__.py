"""Tests of `ledger.books`."""
