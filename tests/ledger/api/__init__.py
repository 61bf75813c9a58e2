"""The JSON API, asked over the real application on a real file."""
