"""What a device has been let into, kept in its signed cookie.

A device may hold several clubs, each as scorer (by passcode) or viewer (by link). A scorer's entry
holds the club's epoch at the time, a viewer's a print of the link used: a new passcode or a new link
thereby shuts old devices out at once.
"""

from typing import Any

from flask import session as cookie

from ledger.access import Access, Role
from ledger.problems import NotSignedIn
from ledger.request_log import let_in
from ledger.scope import Scope, ScopedSession, narrow
from ledger.security.secrets import digest
from ledger.services.club import clubs
from ledger.services.club.clubs import ClubView

_CLUBS = "clubs"
_MOST_CLUBS = 20  # a cookie has 4,093 bytes


def remember(access: Access, club: ClubView) -> None:
    """Let this device into a club from now on. A scorer's device stays one when it opens a viewer link."""
    let_in(access)
    held = _held()
    known = held.pop(club.id, None)
    if known and known["role"] == Role.SCORER and not access.may_write and _holds(known, club):
        held[club.id] = known
    else:
        held[club.id] = {
            "club": club.id,
            "role": access.role.value,
            "author": access.author,
            "seal": _seal(access.role, club),
        }
    _hold(held)
    cookie.permanent = True


def forget(club_id: int) -> None:
    """Let this device out of a club."""
    held = _held()
    held.pop(club_id, None)
    _hold(held)


def enter(session: ScopedSession, club_id: int, session_id: int = 0) -> tuple[Access, ClubView]:
    """Return the access this device has to a club, ``session`` narrowed to it. Raises ``NotSignedIn``.

    The club tells the revision of the evening whose ``session_id`` is asked for.
    """
    held = _held().get(club_id)
    if held is None:
        raise NotSignedIn("This device does not know this club yet; enter its passcode.")
    narrow(session, Scope(club_id))
    club = clubs.show(session, session_id)
    if not _holds(held, club):
        raise NotSignedIn("The club's keys were changed; enter its passcode again.")
    return let_in(_access(held)), club


def known(session: ScopedSession) -> list[tuple[Access, ClubView]]:
    """Return the clubs that this device is let into, oldest first; ``session`` is of every club.

    A club whose keys were changed is not among them: the device gets in again by the passcode.
    """
    held = _held()
    found = {club.id: club for club in clubs.among(session, held)}
    return [
        (_access(each), found[club_id])
        for club_id, each in held.items()
        if club_id in found and _holds(each, found[club_id])
    ]


def _access(held: dict[str, Any]) -> Access:
    return Access(held["club"], Role(held["role"]), held["author"])


def _held() -> dict[int, dict[str, Any]]:
    """Read what the cookie holds, by club, the one let into longest ago first."""
    return {entry["club"]: entry for entry in cookie.get(_CLUBS, [])}


def _hold(held: dict[int, dict[str, Any]]) -> None:
    # A list: a cookie sorts the keys of a table, and who was let in when would be lost.
    cookie[_CLUBS] = list(held.values())[-_MOST_CLUBS:]


def _holds(held: dict[str, Any], club: ClubView) -> bool:
    return bool(held["seal"] == _seal(Role(held["role"]), club))


def _seal(role: Role, club: ClubView) -> str:
    return str(club.devices_epoch) if role is Role.SCORER else digest(club.viewer_key)[:16]
