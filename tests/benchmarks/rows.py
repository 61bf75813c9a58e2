"""One measurement of a benchmark: our figure, a reference, and their ratio with its target."""

from typing import NamedTuple


class Row(NamedTuple):
    """Two figures of one run, in processor time if possible.

    A larger ``ratio`` is better; it should be at least ``target``. Without a target it is only shown.
    """

    label: str
    ours: str
    reference: str
    ratio: float
    target: float | None = None

    @property
    def is_reached(self) -> bool:
        """Whether the target is reached; true without a target."""
        return self.target is None or self.ratio >= self.target
