"""Tests of the notations."""
