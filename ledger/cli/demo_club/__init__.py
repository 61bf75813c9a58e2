"""The example club of ``solo-ledger demo``: a year of made-up evenings, written by the services."""
