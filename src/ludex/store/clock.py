"""The time as the database writes it."""

from datetime import UTC, datetime


def utc_now() -> str:
    """Now, to the microsecond, in a form that sorts by time: `2026-01-31T12:00:00.000000Z`."""
    return written(datetime.now(UTC))


def written(time: datetime) -> str:
    """A time in UTC in that form."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
