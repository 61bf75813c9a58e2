"""A model of a club's sessions and accounts in dictionaries, with arithmetic of its own."""
