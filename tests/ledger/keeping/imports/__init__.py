"""Tests of the readers of foreign files."""
