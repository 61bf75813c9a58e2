"""Tests of `ledger.services.undo`."""
