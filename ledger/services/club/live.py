"""The rules by which devices, links and tokens are valid, in a club that has not left."""

from datetime import datetime

from sqlalchemy import or_
from sqlmodel import col, select

from engine.words.sentences import later, say
from ledger.database.access import Role
from ledger.database.models import Club, Device, KeyDigest
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import now
from ledger.runtime.secrets import digest
from ledger.words.problems import Problem


class Moved(Problem):
    """Raised if a club has left for another installation, at ``address``."""

    status = 410
    code = "club-moved"
    title = say("This club has moved")
    sentence = later("This club is kept at {address} now; open it there. Nothing was changed here.")

    def __init__(self, address: str) -> None:
        super().__init__(address=address)
        self.address = address


NOT_REVOKED = col(Device.revoked_at).is_(None)
"""The condition that a device was not revoked; a scorer's may still need to enter a new passcode."""

IN = (
    NOT_REVOKED,
    or_(col(Device.role) != Role.SCORER.value, col(Device.epoch) == Club.devices_epoch),
)
"""The conditions for devices, joined with their club, to be admitted."""


HERE = col(Club.moved_to).is_(None)
"""The condition that a club has not left for another installation."""


def is_live(revoked_at: datetime | None, expires_at: datetime | None) -> bool:
    """Return whether a link or token is valid: it was not revoked, and its end, if any, is in the future."""
    return revoked_at is None and (expires_at is None or expires_at > now())


def must_not_have_left(session: ScopedSession, key: str = "") -> None:
    """Raise ``Moved`` if the session's club, or that of a link's or token's ``key``, has left.

    An unknown key raises nothing.
    """
    query = select(Club.moved_to).where(col(Club.moved_to).is_not(None))
    if key:
        query = query.join(KeyDigest, col(KeyDigest.club_id) == Club.id)
        query = query.where(KeyDigest.digest == digest(key))
    for address in session.exec(query):
        raise Moved(address or "")
