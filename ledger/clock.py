"""The one clock: aware UTC instants, and the days people call their evenings by."""

from datetime import UTC, date, datetime


def now() -> datetime:
    """Return this instant, aware, in UTC."""
    return datetime.now(UTC)


def now_at_the_table() -> datetime:
    """Return this instant by the clock on the wall where the service runs; it has that zone's offset."""
    return now().astimezone()


def today() -> date:
    """Return the day at the table: the date where the service runs, not the one in Greenwich."""
    return now_at_the_table().date()
