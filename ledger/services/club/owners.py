"""Owners of a club: admitted devices and valid tokens with the owner's role.

In a club without an owner, a scorer who enters the passcode again may become one (``devices.own``). So no
action may remove the last owner, or any scorer could take over the club. A link does not count as an owner:
it expires within hours and may never be opened. A token with an end date does not count as the last owner
either. If all owners expire, the passcode remains.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlmodel import col, or_, select

from engine.words.sentences import say
from ledger.database.access import Role
from ledger.database.models import ApiToken, Club, Device
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import now
from ledger.services.club.live import HERE, IN, is_live
from ledger.words.problems import Conflict


class LastOwner(Conflict):
    """Raised when an action would leave the club without an owner."""

    code = "last-owner"
    sentence = say(
        "The club would be left without an owner; make another device an owner first. A token with an "
        "end date does not count."
    )


def exist(session: ScopedSession) -> bool:
    """Return whether the club has an owner: an admitted device or valid token, even one with an end date."""
    return bool(_ends(session))


def clubs_without(session: ScopedSession) -> list[str]:
    """Return the names of clubs without an owner, oldest first; ``session`` is for every club."""
    devices = select(Device.id).where(
        Device.club_id == Club.id, Device.role == Role.OWNER.value, *IN
    )
    tokens = select(ApiToken.id).where(
        ApiToken.club_id == Club.id,
        ApiToken.role == Role.OWNER.value,
        col(ApiToken.revoked_at).is_(None),
        or_(col(ApiToken.expires_at).is_(None), col(ApiToken.expires_at) > now()),
    )
    clubs = select(Club.name).where(HERE, ~devices.exists(), ~tokens.exists())
    return list(session.exec(clubs.order_by(col(Club.id))).all())


def is_only(session: ScopedSession) -> bool:
    """Return whether at most one owner has no end date; that owner can't be removed."""
    return _ends(session).count(None) < 2


@contextmanager
def must_remain(session: ScopedSession) -> Iterator[None]:
    """Raise ``LastOwner`` after the block if it removed the last owner without an end date.

    Nothing is raised if there was none before the block.
    """
    had_owner = None in _ends(session)
    yield
    session.flush()
    if had_owner and None not in _ends(session):
        raise LastOwner


def _ends(session: ScopedSession) -> list[datetime | None]:
    """Return the end date of each owner, an admitted device or valid token; None for those without one."""
    devices = select(Device.id).join(Club, col(Club.id) == Device.club_id)
    devices = devices.where(Device.role == Role.OWNER.value, *IN)
    tokens = session.exec(select(ApiToken).where(ApiToken.role == Role.OWNER.value))
    ends = [row.expires_at for row in tokens if is_live(row.revoked_at, row.expires_at)]
    return [*ends, *(None for _ in session.exec(devices))]
