"""The bank: loans, adjustments, chip counts, and payments in pieces."""
