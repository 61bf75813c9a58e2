"""What a benchmark says: a figure of ours beside another one, and their ratio with its aim."""

from typing import NamedTuple


class Row(NamedTuple):
    """Two figures taken in one run, in processor time where it can be had.

    ``ratio`` is better the larger it is, and should be at least ``aim``; without an aim it is only shown.
    """

    what: str
    ours: str
    beside: str
    ratio: float
    aim: float | None = None

    @property
    def reached(self) -> bool:
        """Whether the aim is reached, where there is one."""
        return self.aim is None or self.ratio >= self.aim
