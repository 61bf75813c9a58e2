"""Undoing what was done last, or any entry that is not a hand."""
