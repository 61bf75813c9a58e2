"""Rows and the separation of clubs: connections, scope, tables and prepared statements."""
