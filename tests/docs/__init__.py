"""Tests of the documentation: what the pages say is what the program does."""
