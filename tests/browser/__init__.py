"""The pages, tapped through in a real Chromium and Firefox against the real service."""
