"""Tests of `engine.scoring`."""
