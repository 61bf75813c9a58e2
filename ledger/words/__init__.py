"""Text for people: problems, translation, currencies and numbers."""
