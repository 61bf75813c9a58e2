"""Sheets of paper: A4 and Letter, upright or lying, and their margins."""

from dataclasses import dataclass

MARGIN = 42.0
FOOT = 46.0
_LETTER_REGIONS = frozenset({"US", "CA", "MX", "PH", "CL", "CO", "VE"})
"""The regions that print on Letter paper."""


@dataclass(frozen=True, slots=True)
class PaperSize:
    """A sheet of paper, in points; `bottom` is the lower edge of the space above the footer."""

    width: float
    height: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.width, self.height

    @property
    def right(self) -> float:
        """The right edge of the content; the left one is `MARGIN`."""
        return self.width - MARGIN

    @property
    def room(self) -> float:
        """The width of the content."""
        return self.width - 2 * MARGIN

    @property
    def top(self) -> float:
        """The upper edge of the content."""
        return self.height - MARGIN

    @property
    def bottom(self) -> float:
        """The lower edge of the content."""
        return FOOT + 10

    @property
    def lying(self) -> "PaperSize":
        """The same sheet in landscape format."""
        return PaperSize(self.height, self.width)


A4 = PaperSize(595.28, 841.89)
PAPER_SIZES = {"a4": A4, "letter": PaperSize(612, 792)}
"""The formats by name."""


def paper_size_for(name: str | None, language: str | None = None) -> PaperSize:
    """Return the format of a name; without one that of the region in a language tag, usually A4.

    >>> paper_size_for(None, "en-US").width, paper_size_for("a4", "en-US").width
    (612, 595.28)
    >>> paper_size_for(None, "de").width
    595.28
    """
    if name in PAPER_SIZES:
        return PAPER_SIZES[name]
    region = (language or "").replace("_", "-").upper().rpartition("-")[2]
    return PAPER_SIZES["letter"] if region in _LETTER_REGIONS else A4
