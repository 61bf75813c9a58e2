"""Readers of files that other programs for shared expenses write; they need no database."""
