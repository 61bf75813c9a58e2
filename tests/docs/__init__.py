"""Tests of the documentation: its pages agree with the program."""
