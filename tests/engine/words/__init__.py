"""Tests of `engine.words`."""
