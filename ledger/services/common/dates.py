"""Checks of the dates and times that people enter for events at the table."""

from datetime import UTC, date, datetime, time, timedelta

from engine.words.sentences import later, say
from ledger.runtime.clock import now, today
from ledger.words.problems import Invalid

EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
"""The earliest time: old score books may be entered."""

CLOCKS_DIFFER = timedelta(minutes=5)
"""How far the clock of a client may be ahead of the server's."""


def happened(at: datetime, field: str) -> datetime:
    """Return ``at``, an aware time, if it is from 1900 to now, or at most five minutes ahead.

    Clocks differ. Raises ``Invalid`` at ``field`` for any other time.
    """
    latest = now() + CLOCKS_DIFFER
    if not EARLIEST <= at <= latest:
        future = later(
            "{at} is in the future. Say when it happened: from {earliest} to now, {now}; check the "
            "year and the offset."
        )
        early = later(
            "{at} is before 1900. Say when it happened: from {earliest} to now, {now}; check the "
            "year and the offset."
        )
        raise Invalid.at(
            field,
            "time-out-of-bounds",
            say(
                future if at > latest else early,
                at=at.isoformat(),
                earliest=f"{EARLIEST:%Y-%m-%dT%H:%M:%SZ}",
                now=f"{now():%Y-%m-%dT%H:%M:%SZ}",
            ),
        )
    return at


def played_on(day: date, field: str) -> date:
    """Return ``day`` if it is between 1900 and tomorrow, which has begun in other time zones already.

    Raises ``Invalid`` at ``field`` for any other day.
    """
    if not EARLIEST.date() <= day <= today() + timedelta(days=1):
        raise Invalid.at(
            field,
            "time-out-of-bounds",
            say(
                "{day} can't be the day of an evening. Give a day from {earliest} to today, "
                "{today}; check the year.",
                day=day,
                earliest=EARLIEST.date(),
                today=today(),
            ),
        )
    return day


def at_or_during(when: datetime | date, field: str) -> datetime:
    """Return a checked time.

    Of a day its noon in the service's time zone, or the current time if it is today. Raises ``Invalid`` at
    ``field`` for a time or day before 1900 or after now, also for tomorrow.
    """
    if isinstance(when, datetime):
        return happened(when, field)
    if played_on(when, field) == today():
        return now()
    return happened(datetime.combine(when, time(12)).astimezone(), field)
