"""The rules by which devices, links and tokens are valid."""

from datetime import datetime

from sqlalchemy import or_
from sqlmodel import col

from ledger.database.access import Role
from ledger.database.models import Club, Device
from ledger.runtime.clock import now

NOT_REVOKED = col(Device.revoked_at).is_(None)
"""The condition that a device was not revoked; a scorer's may still need to enter a new passcode."""

IN = (
    NOT_REVOKED,
    or_(col(Device.role) != Role.SCORER.value, col(Device.epoch) == Club.devices_epoch),
)
"""The conditions for devices, joined with their club, to be admitted."""


def is_live(revoked_at: datetime | None, expires_at: datetime | None) -> bool:
    """Return whether a link or token still opens its club."""
    return revoked_at is None and (expires_at is None or expires_at > now())
