"""Tests of `engine.batch`."""
