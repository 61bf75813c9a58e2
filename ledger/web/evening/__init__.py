"""The pages of an evening: setup, table, history, undo and the board view."""
