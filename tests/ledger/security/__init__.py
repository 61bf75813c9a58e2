"""Tests of how secrets are made, kept and checked."""
