"""The pages of a club: players, devices, keys, evenings and statistics."""
