"""What the catalogue holds for each code."""

from collections.abc import Mapping
from typing import NamedTuple


class Code(NamedTuple):
    """What a code means, and a hand record (plain tables, or JSON text) refused with it."""

    meaning: str
    example: Mapping[str, object] | str
