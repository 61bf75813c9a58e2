"""A plain model of a club's books, in dictionaries, by arithmetic of its own; the ledger is not asked."""
