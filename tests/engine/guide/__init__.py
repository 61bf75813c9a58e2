"""Tests of `engine.guide`."""
