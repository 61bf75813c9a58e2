"""Infrastructure that every process needs: configuration, files, clock, logs, jobs and keys."""
