"""Tests of `engine.cards`."""
