"""One evening as it stands: its row, its seats, what was done in it."""
