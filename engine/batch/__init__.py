"""Scoring of many hands together: a faster path with the same verdicts as `score`."""
