"""The examples of `.deploy`, each run as far as it goes without its engine."""
