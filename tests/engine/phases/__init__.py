"""Tests of `engine.phases`."""
