"""Scoring of many hands together: the same verdicts as `score`, sooner for hands with all their cards."""

from engine.batch.many import score_many

__all__ = ["score_many"]
