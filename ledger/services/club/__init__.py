"""The club: its founding, its players, its tokens."""
