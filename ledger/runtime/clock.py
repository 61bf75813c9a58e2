"""The one clock: aware UTC instants, the days people call their evenings by, and the reader's time zone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

ZONE: ContextVar[tzinfo | None] = ContextVar("zone", default=None)
"""The reader's time zone in this context; None is the service's."""

_LONGEST_ZONE = 64
_SET_TO: ContextVar[datetime | None] = ContextVar("set_to", default=None)


def now() -> datetime:
    """Return this instant, aware, in UTC."""
    return _SET_TO.get() or datetime.now(UTC)


@contextmanager
def stopped() -> Iterator[Callable[[datetime], object]]:
    """Stop the clock in this block, and yield the function that sets it: past evenings get past dates."""
    before = _SET_TO.set(now())
    try:
        yield _SET_TO.set
    finally:
        _SET_TO.reset(before)


def now_at_the_table() -> datetime:
    """Return this instant by the clock on the wall where the service runs; it has that zone's offset."""
    return now().astimezone()


def local(at: datetime) -> datetime:
    """Return an instant in the reader's time zone, or in the service's if the reader's is not known."""
    return at.astimezone(ZONE.get())


@lru_cache(maxsize=256)
def zone_named(name: str) -> tzinfo | None:
    """Return the time zone of a name such as ``Europe/Berlin``, or None if there is none.

    >>> zone_named("Mars/Olympus"), zone_named("../../etc/passwd")
    (None, None)
    """
    try:
        return ZoneInfo(name) if 0 < len(name) <= _LONGEST_ZONE else None
    except (KeyError, ValueError, OSError):
        return None


def zone_of(at: datetime) -> str:
    """Return the name of an instant's time zone.

    >>> zone_of(datetime(2025, 11, 20, tzinfo=UTC))
    'UTC'
    """
    offset = at.utcoffset()
    return getattr(at.tzinfo, "key", "") or str(timezone(offset) if offset else UTC)


def today() -> date:
    """Return the day at the table: the date where the service runs, not the one in Greenwich."""
    return now_at_the_table().date()
