"""A hand guided step by step through all its phases, and recorded."""
