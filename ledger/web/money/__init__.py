"""The pages of the bank, counts, conversions, payments and the end of an evening."""
