"""Hand records as text: JSON, JSON Lines and TOML, read and written.

Each reader gives, hand by hand, a record or the `Refused` that says what is wrong with it, so that one
bad hand does not stop the next. A text that is not JSON or TOML at all raises `Unreadable`.
"""
