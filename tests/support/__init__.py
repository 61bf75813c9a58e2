"""The tests' requirements of the machine: the browsers, a PostgreSQL, the running service, the tree."""
