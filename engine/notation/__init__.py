"""Reading and writing of hand records as JSON, JSON Lines and TOML.

Readers yield a record or a `Refused` for each hand, so that an invalid hand does not stop the next one. A
text that is not JSON or TOML raises `Unreadable`.
"""
