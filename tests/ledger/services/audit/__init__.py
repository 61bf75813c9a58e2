"""Verify, part by part."""
