"""The shapes of what is sent and answered: thin, strict, and the text of the documentation."""
