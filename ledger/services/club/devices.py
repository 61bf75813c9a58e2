"""Devices that are let into a club: rows, one a phone or browser, listed, given a role, and revoked.

A device's cookie holds a key, the ledger a digest of it. A club without an owner (see ``owners``) gets one
from whichever scorer first enters the passcode again: so it is with clubs from before there were owners. Who
has lost the only owner's phone is let in by ``solo-ledger link``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from sqlalchemy import and_, bindparam
from sqlmodel import col, delete, func, select

from engine.words.sentences import say
from ledger.books.transactions import Database
from ledger.database.access import Access, Event, Role
from ledger.database.models import Club, Device, Link
from ledger.database.scope import Built, Scope, ScopedSession, narrow
from ledger.runtime.clock import now
from ledger.runtime.secrets import digest, new_device_key
from ledger.services.club import events, owners
from ledger.services.club.clubs import REVISION, SHOWN, ClubView
from ledger.services.club.live import IN, NOT_REVOKED
from ledger.services.club.passcodes import ClientDevice
from ledger.services.common.values import of_row
from ledger.words.problems import Conflict, NotSignedIn

MOST_VIEWERS = 300
"""How many viewers' devices a club knows; of more, those used longest ago are forgotten."""
ROLES = tuple(Role)
"""From the one that may do most."""


class HasOwner(Conflict):
    """Who owns a club is for its owners to say."""

    code = "has-owner"
    sentence = say("This club has an owner; ask them to make this device an owner's too.")


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device as its list shows it."""

    id: int
    role: Annotated[Role, "What it may do."]
    author: Annotated[str, "The name its changes are kept under."]
    kind: Annotated[str, "What it calls itself, such as iPhone."]
    created_at: Annotated[datetime, "When it was let in."]
    last_used_at: Annotated[datetime, "When it was last used, to the hour."]


_COLUMNS: Any = (Device.id, Device.role, Device.author, Device.last_used_at)
_ENTERED = Built(
    lambda *row: row,
    select(*SHOWN)
    .add_columns(REVISION)
    .add_columns(*_COLUMNS)
    .join(Device, col(Device.club_id) == Club.id)
    .where(col(Device.digest) == bindparam("digest"), *IN),
)


def enter(
    session: ScopedSession, club_id: int, key: str, session_id: int = 0
) -> tuple[Access, ClubView]:
    """Let a device in that has been before; ``session`` is narrowed to its club. Raises ``NotSignedIn``.

    It is one statement. The club tells the revision of the evening whose ``session_id`` is asked for.
    """
    narrow(session, Scope(club_id))
    for *club, device_id, role, author, used_at in session.ask(
        _ENTERED, digest=digest(key), session=session_id
    ):
        holder = holder_of(device_id)
        return Access(club_id, Role(role), author, holder, used_at), ClubView(*club)
    raise NotSignedIn(
        say("This device was let out, or the club's keys were changed; enter its passcode again.")
    )


def holder_of(device_id: int) -> str:
    """Name a device as the holder of an access."""
    return f"device {device_id}"


def clubs_of(session: ScopedSession, keys: Mapping[int, str]) -> list[tuple[Access, ClubView]]:
    """Return the clubs that a device's keys let it into; ``session`` is of every club."""
    asked = select(Device, Club).join(Club, col(Club.id) == Device.club_id)
    asked = asked.where(col(Device.digest).in_(list(map(digest, keys.values()))), *IN)
    return [
        (Access(club.id, Role(device.role), device.author), of_row(ClubView, club))
        for device, club in session.exec(asked)
    ]


def admit(db: Database, access: Access, device: ClientDevice, *, link_id: int | None = None) -> str:
    """Let a device into a club as ``access`` says; return the key that its cookie is to hold.

    A device that is in already keeps a role in which it may do more, and goes out with no link that it did
    not come by.
    """
    with db.write() as session:
        narrow(session, Scope(access.club_id))
        session.author = access.author
        return add(session, access, device, link_id=link_id)


def add(
    session: ScopedSession,
    access: Access,
    device: ClientDevice,
    *,
    link_id: int | None = None,
    key: str | None = None,
) -> str:
    """Let a device in, in a transaction that writes; return the key that its cookie is to hold.

    One that may do no more than before keeps its key, another gets ``key``, or a new one.
    """
    role, at = access.role, now()
    held = device.keys.get(access.club_id)
    row, is_in = _of_key(session, held)
    epoch = session.exec(select(Club.devices_epoch)).one()
    if row and is_in and ROLES.index(Role(row.role)) <= ROLES.index(role):
        if role is Role.VIEWER:
            return device.keys[access.club_id]
        if row.role != role or row.link_id is None:
            link_id = row.link_id
        role = Role(row.role)
    if held and row and is_in and row.role == role:
        key = held
    key = key or new_device_key()
    if row is None or row.role != role:
        events.note(session, Event.CAME, access, kind=device.kind, role=role)
    came: dict[str, Any] = {"author": access.author, "kind": device.kind, "epoch": epoch}
    came |= {"role": role.value, "network": device.origin.network, "link_id": link_id}
    came |= {"digest": digest(key), "last_used_at": at}
    if row is None:
        session.add(Device(created_at=at, **came))
    else:
        row.sqlmodel_update(came)
    _forget_viewers(session)
    return key


def adopt(
    db: Database, club_id: int, old: Mapping[str, Any], key: str, device: ClientDevice
) -> None:
    """Let in a device whose cookie is from a version that kept no list of devices, if it still holds.

    Doing so twice does no harm: it is the same device, also after it was revoked.
    """
    with db.write() as session:
        narrow(session, Scope(club_id))
        if session.exec(select(Device.id).where(Device.digest == digest(key))).first() is not None:
            return
        epoch = session.exec(select(Club.devices_epoch)).one_or_none()
        viewing = old["role"] == Role.VIEWER
        link = _link_of(session, old["seal"]) if viewing else None
        if epoch is None or (link is None if viewing else old["seal"] != str(epoch)):
            return
        session.author = old["author"]
        role, at = Role.VIEWER if viewing else Role.SCORER, now()
        came: dict[str, Any] = {"author": old["author"], "kind": device.kind, "epoch": epoch}
        came |= {"role": role.value, "network": device.origin.network, "digest": digest(key)}
        came |= {"created_at": at, "last_used_at": at, "link_id": link.id if link else None}
        session.add(Device(**came))


def list_all(session: ScopedSession, access: Access) -> list[DeviceView]:
    """Return the devices that are in the club, last used first. Only owners may look."""
    access.must_own()
    asked = select(Device).join(Club, col(Club.id) == Device.club_id).where(*IN)
    rows = session.exec(asked.order_by(col(Device.last_used_at).desc(), col(Device.id).desc()))
    return [of_row(DeviceView, row) for row in rows]


def one(session: ScopedSession, access: Access, device_id: int) -> DeviceView:
    """Return a device. Only owners may look."""
    access.must_own()
    return of_row(DeviceView, find(session, device_id))


def find(session: ScopedSession, device_id: int) -> Device:
    """Return the row of a device that is in. Raises ``NotFound``."""
    asked = select(Device).join(Club, col(Club.id) == Device.club_id)
    return session.one(asked.where(Device.id == device_id, *IN), "device")


def change_role(db: Database, access: Access, device_id: int, *, role: Role) -> DeviceView:
    """Give a device another role, which it no longer owes to a link that it came by.

    Otherwise a scorer, who may renew viewer links, could let out an owner who came by one. Raises
    ``LastOwner`` where nobody would own the club.
    """
    access.must_own()
    with db.write(access) as session:
        row = find(session, device_id)
        if row.role != role:
            with owners.must_remain(session):
                before, row.role, row.link_id = row.role, role.value, None
                row.epoch = session.exec(select(Club.devices_epoch)).one()
            events.note(session, Event.ROLE, access, **_told(row), before=before, role=role)
    return of_row(DeviceView, row)


def revoke(db: Database, access: Access, device_id: int) -> DeviceView:
    """Let a device out of the club. Raises ``LastOwner`` where nobody would own the club."""
    access.must_own()
    with db.write(access) as session:
        row = find(session, device_id)
        with owners.must_remain(session):
            row.revoked_at = now()
        events.note(session, Event.OUT, access, **_told(row))
    return of_row(DeviceView, row)


def leave(db: Database, club_id: int, device: ClientDevice) -> None:
    """Let the device that asks out of a club; its cookie, and every copy of it, opens nothing any more.

    Raises ``LastOwner`` where nobody would own the club.
    """
    with db.write() as session:
        narrow(session, Scope(club_id))
        row, _ = _of_key(session, device.keys.get(club_id))
        if row:
            with owners.must_remain(session):
                row.revoked_at = now()
            access = Access(club_id, Role(row.role), row.author)
            session.author = row.author
            events.note(session, Event.LEFT, access, **_told(row))


def own(db: Database, access: Access) -> None:
    """Make the scorer's device that asks the owner's, in a club that has none. Raises ``HasOwner``."""
    with db.write(access) as session:
        if owners.exist(session):
            raise HasOwner
        row = find(session, int(access.holder.removeprefix("device ")))
        before, row.role, row.link_id = row.role, Role.OWNER.value, None
        events.note(session, Event.ROLE, access, **_told(row), before=before, role=row.role)


def _of_key(session: ScopedSession, key: str | None) -> tuple[Device | None, bool]:
    """Return the device that holds a key and was not let out, and whether it is in."""
    asked = select(Device, and_(*IN)).join(Club, col(Club.id) == Device.club_id)
    found = session.exec(asked.where(Device.digest == digest(key or ""), NOT_REVOKED)).one_or_none()
    return (found[0], bool(found[1])) if found else (None, False)


def _link_of(session: ScopedSession, seal: str) -> Link | None:
    """Find the viewer link of which an old cookie holds a print."""
    asked = select(Link).where(col(Link.digest).startswith(seal), Link.role == Role.VIEWER.value)
    return session.exec(asked.where(col(Link.revoked_at).is_(None))).first()


def _told(row: Device) -> dict[str, str]:
    return {"author": row.author, "kind": row.kind}


def _forget_viewers(session: ScopedSession) -> None:
    """Forget the viewers' devices beyond the newest: programs look at links before people do.

    Whichever has the highest number stays: SQLite would give that number again, and what is known of a device
    by its number would be told of another.
    """
    viewers = select(Device.id).where(Device.role == Role.VIEWER.value)
    newest = viewers.order_by(col(Device.last_used_at).desc(), col(Device.id).desc()).limit(
        MOST_VIEWERS
    )
    session.flush()
    last = session.exec(select(func.max(Device.id))).one()
    others = delete(Device).where(col(Device.role) == Role.VIEWER.value, col(Device.id) != last)
    session.exec(others.where(col(Device.id).not_in(newest)))
