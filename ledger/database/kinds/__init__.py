"""The kinds of accounts and entries, and the states of sessions, seats and hands."""
