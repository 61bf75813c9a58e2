"""Views of sessions, hands, accounts and evenings, and their statistics."""
