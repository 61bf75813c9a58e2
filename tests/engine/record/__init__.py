"""Tests of the hand record."""
