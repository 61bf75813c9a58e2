"""Mutation testing: change the program in small ways and see whether its tests fail."""
