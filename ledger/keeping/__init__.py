"""Keeping a ledger safe: migrations, backups, readiness, examination, and opening it read-only."""
