"""The tests' requirements of the machine: a Chromium, a PostgreSQL, the running service, the tree."""
