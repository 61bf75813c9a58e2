"""Tests of `engine.reasoning`."""
