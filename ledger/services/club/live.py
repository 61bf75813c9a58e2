"""What still lets somebody in: one rule for devices, one for links and tokens, which may end by time."""

from datetime import datetime

from sqlalchemy import or_
from sqlmodel import col

from ledger.database.access import Role
from ledger.database.models import Club, Device
from ledger.runtime.clock import now

NOT_REVOKED = col(Device.revoked_at).is_(None)
"""Of devices: it was not let out. A scorer's may have to enter a new passcode before it is in again."""

IN = (
    NOT_REVOKED,
    or_(col(Device.role) != Role.SCORER.value, col(Device.epoch) == Club.devices_epoch),
)
"""Of devices joined with their club: they are in."""


def is_live(revoked_at: datetime | None, expires_at: datetime | None) -> bool:
    """Whether a link or token still opens its club."""
    return revoked_at is None and (expires_at is None or expires_at > now())
