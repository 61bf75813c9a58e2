"""The example club of ``solo-ledger demo``."""
