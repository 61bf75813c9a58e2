"""The signed cookie with a device's key for each club that it has entered.

The keys' owners and roles are rows of the database (``services.club.devices``), so a device can be revoked.
Cookies of versions without these rows get keys on the next request.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import current_app, request
from flask import session as cookie

from engine.words.sentences import say
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.scope import ScopedSession
from ledger.http.flask_app import DeviceCookies
from ledger.http.request_log import let_in
from ledger.services.club import devices, last_use
from ledger.services.club.clubs import ClubView
from ledger.services.club.passcodes import ClientDevice, origin_of
from ledger.words.problems import NotSignedIn

_CLUBS = "clubs"
_MOST_CLUBS = 20  # a cookie has 4,093 bytes
_KINDS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux")


def take_from_http() -> None:
    """Add the keys of this device's cookie for plain HTTP to its cookie for HTTPS, which keeps its own."""
    plain = DeviceCookies().open_session(current_app, request)
    _store({**_keys_in(plain or {}), **_keys()})


def this_device() -> ClientDevice:
    """Return the request's device: network, kind and keys."""
    agent = request.headers.get("User-Agent", "")
    kind = next((kind for kind in _KINDS if kind in agent), "device")
    return ClientDevice(origin_of(request.remote_addr), kind, _keys())


def remember(
    db: Database, access: Access, *, link_id: int | None = None, key: str | None = None
) -> None:
    """Admit this device to a club and store its key in the cookie.

    A scorer's device keeps its role when it opens a viewer link. ``key`` identifies a device without the
    cookie: a founder's, if the first response was lost.
    """
    device = this_device()
    if key:
        device = replace(device, keys={access.club_id: key, **device.keys})
    store_key(access, devices.admit(db, access, device, link_id=link_id))


def store_key(access: Access, key: str) -> None:
    """Store a club's key in the cookie, as the newest; keys beyond the newest 20 are dropped."""
    let_in(access)
    keys = _keys()
    keys.pop(access.club_id, None)
    _store({**keys, access.club_id: key})


def leave(db: Database, club_id: int) -> None:
    """Revoke this device's access to a club, also for copies of its cookie, and remove its key.

    Without a key for the club nothing happens. Raises ``LastOwner``.
    """
    keys = _keys()
    if club_id in keys:
        devices.leave(db, club_id, this_device())
        del keys[club_id]
        _store(keys)


def enter(
    db: Database, session: ScopedSession, club_id: int, session_id: int = 0
) -> tuple[Access, ClubView]:
    """Return this device's access to a club, and the club; ``session`` is narrowed to it.

    The club contains the revision of the session with this id. At most once an hour the device's use is
    noted, in another thread. Raises ``NotSignedIn``.
    """
    key = _keys().get(club_id)
    if key is None:
        raise NotSignedIn(say("This device does not know this club yet; enter its passcode."))
    access, club = devices.enter(session, club_id, key, session_id)
    return last_use.note(db, let_in(access), origin_of(request.remote_addr).network), club


def entered_clubs(session: ScopedSession) -> list[tuple[Access, ClubView]]:
    """Return the clubs that this device has access to, oldest first; ``session`` covers all clubs.

    Clubs that revoked the device are left out.
    """
    keys = _keys()
    access_by_club = {club.id: (access, club) for access, club in devices.clubs_of(session, keys)}
    return [access_by_club[club_id] for club_id in keys if club_id in access_by_club]


def renew_old(db: Database) -> None:
    """Add the rows and keys of a device with an older version's cookie; a current cookie stays unchanged."""
    if not any("seal" in stored for stored in cookie.get(_CLUBS, [])):
        return
    keys = {}
    for stored in cookie[_CLUBS]:
        keys[stored["club"]] = stored.get("key") or _key_of_old(stored)
        if "seal" in stored:
            devices.adopt(db, stored["club"], stored, keys[stored["club"]], this_device())
    _store(keys)


def _key_of_old(stored: dict[str, Any]) -> str:
    """Return a key derived from an old cookie, so that all copies of the cookie are one device.

    A scorer's cookie has a CSRF token, which makes the key impossible to guess.
    """
    content = json.dumps([stored, cookie.get("csrf_token", "")], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def _keys() -> dict[int, str]:
    """Return the cookie's keys by club, oldest first."""
    return _keys_in(cookie)


def _keys_in(session: Mapping[str, Any]) -> dict[int, str]:
    return {stored["club"]: stored["key"] for stored in session.get(_CLUBS, []) if "key" in stored}


def _store(keys: dict[int, str]) -> None:
    # A list, because the cookie sorts the keys of an object and would lose their order.
    stored = [{"club": club_id, "key": key} for club_id, key in keys.items()]
    cookie[_CLUBS] = stored[-_MOST_CLUBS:]
    cookie.permanent = True
