"""The one clock: aware UTC instants, and the days people call their evenings by."""

from datetime import UTC, date, datetime


def now() -> datetime:
    """Return this instant, aware, in UTC."""
    return datetime.now(UTC)


def today() -> date:
    """Return the day at the table: the date where the service runs, not the one in Greenwich."""
    return now().astimezone().date()
