"""Tests of the ledger, laid out as it is."""
