"""One verb a use case. Each owns its transaction: all of it is saved, or nothing is."""
