"""The printed session summary."""
