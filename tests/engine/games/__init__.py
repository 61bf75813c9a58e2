"""Tests of the games, a module each."""
