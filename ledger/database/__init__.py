"""Rows and the wall between clubs: connections, scope, tables and prepared statements."""
