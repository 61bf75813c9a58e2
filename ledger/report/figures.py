"""Figures and times as they are printed."""

from datetime import datetime

from ledger.figures import change

ZERO = "\u00b7"


def signed(amount: int) -> str:
    """Return an amount with its sign; a dot where there is none, so that a column stays quiet.

    >>> signed(1250), signed(-40), signed(0)
    ('+1,250', '−40', '·')
    """
    return change(amount, ZERO)


def moment(at: datetime, printed_at: datetime) -> str:
    """Return the time of an entry, in the time zone the report is printed in."""
    local = at.astimezone(printed_at.tzinfo)
    return f"{local.day} {local:%b, %H:%M}"
