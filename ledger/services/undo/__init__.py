"""Undo and redo of the last step, and the undo of any other entry that is not a hand's."""
