"""Formatting of amounts and times in the report."""

from datetime import datetime

from engine.words.sentences import say
from ledger.words.languages import ENGLISH
from ledger.words.numbers import change
from ledger.words.translation import reader, translate

ZERO = "\u00b7"


def signed(amount: int) -> str:
    """Return an amount with its sign, or a dot for zero.

    >>> signed(1250), signed(-40), signed(0)
    ('+1,250', '−40', '·')
    """
    return change(amount, ZERO)


def moment(at: datetime, printed_at: datetime) -> str:
    """Return a day and time in the time zone of `printed_at`."""
    local = at.astimezone(printed_at.tzinfo)
    on = f"{local.day} {local:%b}"
    if reader().tag != ENGLISH.tag:
        from babel.dates import format_skeleton  # imported on demand: English needs no Babel

        on = format_skeleton("MMMd", local, locale=reader().tag)
    return translate(say("{day}, {time}", day=on, time=f"{local:%H:%M}"))
