"""Tests of `engine.errors`."""
