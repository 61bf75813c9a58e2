"""What tests need from the machine: a Chromium, a PostgreSQL, the running service, the tree."""
