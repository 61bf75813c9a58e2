"""Tests of `engine.rules`."""
