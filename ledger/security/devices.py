"""What a device has been let into, kept in its signed cookie.

A device may hold several clubs, each as scorer (by passcode) or viewer (by link). A scorer's entry
holds the club's epoch at the time, a viewer's a print of the link used: a new passcode or a new link
thereby shuts old devices out at once.
"""

from typing import Any

from flask import session as cookie

from ledger.access import Access, Role
from ledger.db import Database
from ledger.problems import NotSignedIn
from ledger.security.secrets import digest
from ledger.services import clubs
from ledger.services.clubs import ClubView

_CLUBS = "clubs"
_MOST_CLUBS = 20  # a cookie has 4,093 bytes


def remember(access: Access, club: ClubView) -> None:
    """Let this device into a club from now on. A scorer's device stays one when it opens a viewer link."""
    held: dict[str, Any] = dict(cookie.get(_CLUBS, {}))
    known = held.pop(str(club.id), None)
    if known and known["role"] == Role.SCORER and not access.may_write and _holds(known, club):
        held[str(club.id)] = known
    else:
        held[str(club.id)] = {
            "role": access.role.value,
            "author": access.author,
            "seal": _seal(access.role, club),
        }
    cookie[_CLUBS] = dict(list(held.items())[-_MOST_CLUBS:])
    cookie.permanent = True


def forget(club_id: int) -> None:
    """Let this device out of a club."""
    held: dict[str, Any] = dict(cookie.get(_CLUBS, {}))
    held.pop(str(club_id), None)
    cookie[_CLUBS] = held


def known_clubs() -> list[int]:
    """Return the clubs this device says it knows, oldest first; each is still checked when opened."""
    return [int(club_id) for club_id in cookie.get(_CLUBS, {})]


def enter(db: Database, club_id: int) -> tuple[Access, ClubView]:
    """Return the access this device has to a club. Raises ``NotSignedIn``."""
    held = cookie.get(_CLUBS, {}).get(str(club_id))
    if held is None:
        raise NotSignedIn("This device does not know this club yet; enter its passcode.")
    access = Access(club_id, Role(held["role"]), held["author"])
    club = clubs.show(db, access)
    if not _holds(held, club):
        raise NotSignedIn("The club's keys were changed; enter its passcode again.")
    return access, club


def _holds(held: dict[str, Any], club: ClubView) -> bool:
    return bool(held["seal"] == _seal(Role(held["role"]), club))


def _seal(role: Role, club: ClubView) -> str:
    return str(club.devices_epoch) if role is Role.SCORER else digest(club.viewer_key)[:16]
