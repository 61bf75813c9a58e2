"""From a hand record to a verdict: one pure function, the same steps for every game."""
