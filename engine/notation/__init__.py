"""Hand records as text: JSON, JSON Lines and TOML, read and written.

Each reader gives, hand by hand, a record or the `Refused` that says what is wrong with it, so that one
bad hand does not stop the next. A text that is not JSON or TOML at all raises `Unreadable`.
"""

from engine.notation.common import Reading, Unreadable, numbered_lines
from engine.notation.json_text import (
    read_json,
    read_jsonl,
    read_lines,
    stream_json,
    write_json,
    write_jsonl,
)
from engine.notation.toml_stream import read_toml, stream_toml, write_toml_stream
from engine.notation.toml_text import write_toml

__all__ = [
    "Reading",
    "Unreadable",
    "numbered_lines",
    "read_json",
    "read_jsonl",
    "read_lines",
    "read_toml",
    "stream_json",
    "stream_toml",
    "write_json",
    "write_jsonl",
    "write_toml",
    "write_toml_stream",
]
