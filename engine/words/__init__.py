"""Languages as data, and the sentences that each of them says."""
