"""Passcodes, tokens and the keys of links: how a secret is made, kept and checked."""
