"""What can be wrong with a hand: violations, and the catalogue of every code."""

from engine.errors.violations import (
    LARGEST,
    LONGEST,
    Problems,
    Refused,
    Violation,
    join,
    printable,
    refuse_any,
    show,
    unknown_seat,
)

__all__ = [
    "LARGEST",
    "LONGEST",
    "Problems",
    "Refused",
    "Violation",
    "join",
    "printable",
    "refuse_any",
    "show",
    "unknown_seat",
]
