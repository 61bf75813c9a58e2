"""`score`: the verdict on a record, in the same steps for every game and depth."""
