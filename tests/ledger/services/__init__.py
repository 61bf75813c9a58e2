"""Tests of the services, each by its effect for the people at the table."""
