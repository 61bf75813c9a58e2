"""The parts that a rule sheet is composed of: who sits where, what is bid, counted and paid."""
