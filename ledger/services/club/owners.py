"""Who owns a club: an owner's device that is in, or an owner's token that still opens it.

The passcode makes nobody an owner, but where there is none: then a scorer who enters it again may be one
(``devices.own``). So nothing that somebody does may leave a club without one, or whoever scores could take
it. A link is not an owner: it ends within hours, and nobody need ever open it. Nor is a token that ends
enough: one must stay that is in until it is revoked. Where all have ended by time, there is the passcode.
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
from ledger.services.club.live import IN, is_live
from ledger.words.problems import Conflict


class LastOwner(Conflict):
    """The club would be without an owner."""

    code = "last-owner"
    sentence = say(
        "The club would be left without an owner; make another device an owner first. A token with an "
        "end date does not count."
    )


def exist(session: ScopedSession) -> bool:
    """Whether anybody owns the club now."""
    return bool(_ends(session))


def clubs_without(session: ScopedSession) -> list[str]:
    """Return the names of the clubs that nobody owns, oldest first.

    Clubs of versions before there were owners have none until somebody becomes one.
    """
    devices = select(Device.id).where(
        Device.club_id == Club.id, Device.role == Role.OWNER.value, *IN
    )
    tokens = select(ApiToken.id).where(
        ApiToken.club_id == Club.id,
        ApiToken.role == Role.OWNER.value,
        col(ApiToken.revoked_at).is_(None),
        or_(col(ApiToken.expires_at).is_(None), col(ApiToken.expires_at) > now()),
    )
    clubs = select(Club.name).where(~devices.exists(), ~tokens.exists())
    return list(session.exec(clubs.order_by(col(Club.id))).all())


def is_only(session: ScopedSession) -> bool:
    """Whether no more than one owns the club until it is revoked."""
    return _ends(session).count(None) < 2


@contextmanager
def must_remain(session: ScopedSession) -> Iterator[None]:
    """Hold what is done meanwhile to leaving the club an owner. Raises ``LastOwner``."""
    had = None in _ends(session)
    yield
    session.flush()
    if had and None not in _ends(session):
        raise LastOwner


def _ends(session: ScopedSession) -> list[datetime | None]:
    """Return when each owner ends; None: when it is revoked."""
    devices = select(Device.id).join(Club, col(Club.id) == Device.club_id)
    devices = devices.where(Device.role == Role.OWNER.value, *IN)
    tokens = session.exec(select(ApiToken).where(ApiToken.role == Role.OWNER.value))
    lasting = [each.expires_at for each in tokens if is_live(each.revoked_at, each.expires_at)]
    return [*lasting, *(None for _ in session.exec(devices))]
