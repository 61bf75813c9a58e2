"""Safekeeping."""
