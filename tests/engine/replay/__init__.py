"""Tests of `engine.replay`."""
