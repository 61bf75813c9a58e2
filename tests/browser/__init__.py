"""The pages, tapped through in a real Chromium against the real service."""
