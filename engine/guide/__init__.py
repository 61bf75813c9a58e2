"""A hand guided step by step through all its phases, and written down as a record."""
