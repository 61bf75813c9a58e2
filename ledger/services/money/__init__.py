"""Chips into money, and who pays whom."""
