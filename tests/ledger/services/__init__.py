"""Tests of the services, each by what it does for the people at the table."""
