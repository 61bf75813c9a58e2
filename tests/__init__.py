"""Tests. They mirror the tree: `tests/engine` tests `engine`, `tests/ledger` tests `ledger`."""
