"""The current state of a session: its row, seats, versions of hands, and the steps to undo."""
