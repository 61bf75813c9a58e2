"""Clubs: creating and entering them, their players, devices, links and tokens."""
