"""The one clock: aware UTC times, the dates of evenings, and the reader's time zone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, timezone, tzinfo
from zoneinfo import ZoneInfo

ZONE: ContextVar[tzinfo | None] = ContextVar("zone", default=None)
"""The reader's time zone in this context; None is the service's."""

_LONGEST_ZONE = 64
_SET_TO: ContextVar[datetime | None] = ContextVar("set_to", default=None)


def now() -> datetime:
    """Return the current time, aware, in UTC; within ``stopped`` the time that was set."""
    return _SET_TO.get() or datetime.now(UTC)


@contextmanager
def stopped() -> Iterator[Callable[[datetime], object]]:
    """Stop the clock in this block, and yield the function that sets it: past evenings get past dates.

    Only this thread's (or task's) clock is stopped; at the end it shows the true time again.
    """
    token = _SET_TO.set(now())
    try:
        yield _SET_TO.set
    finally:
        _SET_TO.reset(token)


def now_at_the_table() -> datetime:
    """Return the current time in the service's time zone."""
    return now().astimezone()


def local(at: datetime) -> datetime:
    """Convert an aware time to the reader's time zone, or to the service's if the reader's is unknown."""
    return at.astimezone(ZONE.get())


def zone_named(name: str) -> tzinfo | None:
    """Return the time zone with a name such as ``Europe/Berlin``; None for an unknown or unsafe name.

    >>> zone_named("Mars/Olympus"), zone_named("../../etc/passwd")
    (None, None)
    """
    try:
        return ZoneInfo(name) if 0 < len(name) <= _LONGEST_ZONE else None
    except (KeyError, ValueError, OSError):
        return None


def zone_of(at: datetime) -> str:
    """Return the name of a time's zone, or its offset from UTC if it has none.

    >>> zone_of(datetime(2025, 11, 20, tzinfo=UTC))
    'UTC'
    """
    offset = at.utcoffset()
    return getattr(at.tzinfo, "key", "") or str(timezone(offset) if offset else UTC)


def today() -> date:
    """Return the date in the service's time zone."""
    return now_at_the_table().date()
