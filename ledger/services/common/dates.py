"""When something happened, as people enter it: an instant, or a day, that can have been at a card table."""

from datetime import UTC, date, datetime, timedelta

from ledger.clock import now, today
from ledger.problems import Invalid

EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
"""Old score books may be entered; nobody who could enter one played before."""

CLOCKS_DIFFER = timedelta(minutes=5)
"""How far ahead of ours the clock of a phone or a script may be."""


def happened(at: datetime, field: str) -> datetime:
    """Return an aware instant at which something can have happened. Raises ``Invalid`` at ``field``."""
    latest = now() + CLOCKS_DIFFER
    if not EARLIEST <= at <= latest:
        when = "is in the future" if at > latest else "is before 1900"
        raise Invalid.at(
            field,
            "time-out-of-bounds",
            f"{at.isoformat()} {when}. Say when it happened: from {EARLIEST:%Y-%m-%dT%H:%M:%SZ} "
            "to now, "
            f"{now():%Y-%m-%dT%H:%M:%SZ}; check the year and the offset.",
        )
    return at


def played_on(day: date, field: str) -> date:
    """Return a day on which people can have played: at most tomorrow, which it is elsewhere already.

    Raises ``Invalid`` at ``field``.
    """
    if not EARLIEST.date() <= day <= today() + timedelta(days=1):
        raise Invalid.at(
            field,
            "time-out-of-bounds",
            f"{day} can't be the day of an evening. Give a day from "
            f"{EARLIEST.date()} to today, {today()}; check the year.",
        )
    return day
