"""The output of a trial: a figure, its target, and whether it is met."""

from typing import NamedTuple


class Row(NamedTuple):
    """One figure of a trial.

    A ``timed`` one is only shown where the trial runs in its short form, as on a machine that is busy
    with other work; the promises about the books hold on any machine.
    """

    what: str
    figure: str
    aim: str = ""
    held: bool = True
    timed: bool = False


def count(what: str, found: int, most: int = 0) -> Row:
    """Return the row of a number that may not be above ``most``."""
    return Row(what, f"{found:,}", f"{most:,}", found <= most)


def seconds(what: str, took: float, most: float) -> Row:
    """Return the row of a time that should not be above ``most`` seconds."""
    return Row(what, f"{took:.3f} s", f"{most:g} s", took <= most, timed=True)


def percentile(times: list[float], share: int) -> float:
    """Return the time that so many in a hundred do not exceed."""
    return sorted(times)[max(0, -(-len(times) * share // 100) - 1)]
