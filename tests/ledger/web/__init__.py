"""The pages, opened and sent by a phone without a screen."""
