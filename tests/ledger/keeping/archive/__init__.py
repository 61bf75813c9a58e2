"""Tests of the archive of a club."""
