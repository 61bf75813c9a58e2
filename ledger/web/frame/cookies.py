"""What a device has been let into: a key for each club, kept in its signed cookie.

Who holds a key, and what it may do, is a row of the ledger (``services.club.devices``): a device can be
revoked. Cookies of versions that kept no such rows get a key of their own when they are next seen.
"""

import hashlib
import json
from dataclasses import replace
from typing import Any

from flask import request
from flask import session as cookie

from engine.words.sentences import say
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.scope import ScopedSession
from ledger.http.request_log import let_in
from ledger.services.club import devices, last_use
from ledger.services.club.clubs import ClubView
from ledger.services.club.passcodes import ClientDevice, origin_of
from ledger.words.problems import NotSignedIn

_CLUBS = "clubs"
_MOST_CLUBS = 20  # a cookie has 4,093 bytes
_KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")


def seen() -> ClientDevice:
    """Return what the request tells of its device."""
    agent = request.headers.get("User-Agent", "")
    kind = next((kind for kind in _KINDS if kind in agent), "device")
    return ClientDevice(origin_of(request.remote_addr), kind, _keys())


def remember(
    db: Database, access: Access, *, link_id: int | None = None, key: str | None = None
) -> None:
    """Let this device into a club from now on. A scorer's device stays one when it opens a viewer link.

    It may be known by a ``key`` that its cookie does not hold: a founder's whose answer was lost.
    """
    now = seen()
    if key:
        now = replace(now, keys={access.club_id: key, **now.keys})
    keep(access, devices.admit(db, access, now, link_id=link_id))


def keep(access: Access, key: str) -> None:
    """Keep the key of a club that this device was let into."""
    let_in(access)
    keys = _keys()
    keys.pop(access.club_id, None)
    _hold({**keys, access.club_id: key})


def leave(db: Database, club_id: int) -> None:
    """Let this device out of a club; no copy of its cookie opens it any more."""
    keys = _keys()
    if club_id in keys:
        devices.leave(db, club_id, seen())
        del keys[club_id]
        _hold(keys)


def enter(
    db: Database, session: ScopedSession, club_id: int, session_id: int = 0
) -> tuple[Access, ClubView]:
    """Return the access this device has to a club, ``session`` narrowed to it. Raises ``NotSignedIn``.

    The club tells the revision of the evening whose ``session_id`` is asked for.
    """
    key = _keys().get(club_id)
    if key is None:
        raise NotSignedIn(say("This device does not know this club yet; enter its passcode."))
    access, club = devices.enter(session, club_id, key, session_id)
    return last_use.note(db, let_in(access), origin_of(request.remote_addr).network), club


def known(session: ScopedSession) -> list[tuple[Access, ClubView]]:
    """Return the clubs that this device is let into, oldest first; ``session`` is of every club.

    A club that it was let out of is not among them: the device gets in again by the passcode.
    """
    keys = _keys()
    found = {club.id: (access, club) for access, club in devices.clubs_of(session, keys)}
    return [found[club_id] for club_id in keys if club_id in found]


def renew_old(db: Database) -> None:
    """Give the device of an older version's cookie its rows and keys."""
    if not any("seal" in held for held in cookie.get(_CLUBS, [])):
        return
    keys = {}
    for held in cookie[_CLUBS]:
        keys[held["club"]] = held.get("key") or _key_of_old(held)
        if "seal" in held:
            devices.adopt(db, held["club"], held, keys[held["club"]], seen())
    _hold(keys)


def _key_of_old(held: dict[str, Any]) -> str:
    """Work out a key that every copy of the old cookie has, so that all of them are one device.

    A scorer's cookie has a CSRF token of its own, which nobody else can know.
    """
    told = json.dumps([held, cookie.get("csrf_token", "")], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def _keys() -> dict[int, str]:
    """Read the keys in the cookie, by club, the one let into longest ago first."""
    return {held["club"]: held["key"] for held in cookie.get(_CLUBS, []) if "key" in held}


def _hold(keys: dict[int, str]) -> None:
    # A list: a cookie sorts the keys of a table, and who was let in when would be lost.
    held = [{"club": club_id, "key": key} for club_id, key in keys.items()]
    cookie[_CLUBS] = held[-_MOST_CLUBS:]
    cookie.permanent = True
