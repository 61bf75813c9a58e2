"""The bank: loans, adjustments, the chip count, and what to pay in which chips."""
