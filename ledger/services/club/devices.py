"""A club's devices, one row for each phone or browser: admitting, listing, changing roles and revoking.

A device's cookie holds a key, the database its digest. In a club without an owner (see ``owners``), such as
one from before there were owners, the first scorer to enter the passcode again can become one. If the only
owner's phone is lost, ``solo-ledger link`` gives access.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from sqlalchemy import and_, bindparam
from sqlmodel import col, delete, func, select

from engine.words.sentences import say
from ledger.books.transactions import Database
from ledger.database.access import Access, Event, Role
from ledger.database.models import Club, Device, Link
from ledger.database.narrowing import Scope
from ledger.database.scope import Built, NoSuchClub, ScopedSession, narrow
from ledger.runtime.clock import now
from ledger.runtime.secrets import digest, new_key
from ledger.services.club import events, owners
from ledger.services.club.clubs import PUBLIC_COLUMNS, SESSION_NUMBER, ClubView
from ledger.services.club.live import HERE, IN, NOT_REVOKED, must_not_have_left
from ledger.services.club.passcodes import ClientDevice
from ledger.services.common.values import of_row
from ledger.words.problems import Conflict, NotSignedIn

MOST_VIEWERS = 300
"""The number of viewers' devices stored for a club; those used longest ago are deleted."""
ROLES = tuple(Role)
"""The roles, from the one with the most permissions."""


class HasOwner(Conflict):
    """Raised when a scorer wants to own a club that has an owner."""

    code = "has-owner"
    sentence = say("This club has an owner; ask them to make this device an owner's too.")


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device in the club's list."""

    id: int
    role: Annotated[Role, "The role, which decides its permissions."]
    author: Annotated[str, "The name its changes are kept under."]
    kind: Annotated[str, "The kind of device, such as iPhone."]
    created_at: Annotated[datetime, "The time it was admitted."]
    last_used_at: Annotated[datetime, "The time of last use, to the hour."]


_COLUMNS: Any = (Device.id, Device.role, Device.author, Device.last_used_at)
_ENTERED = Built(
    lambda *row: row,
    select(*PUBLIC_COLUMNS)
    .add_columns(SESSION_NUMBER)
    .add_columns(*_COLUMNS)
    .join(Device, col(Device.club_id) == Club.id)
    .where(col(Device.digest) == bindparam("digest"), HERE, *IN),
)


def enter(
    session: ScopedSession, club_id: int, key: str, session_id: int = 0
) -> tuple[Access, ClubView]:
    """Return the access of the device with this key, and its club, with one SQL statement.

    Raises ``NotSignedIn`` for one that is unknown or revoked, or a scorer's that must enter a new passcode,
    and ``Moved`` if the club has left.
    ``session`` is narrowed to the club, whose live number is that of session ``session_id``, if it exists.
    """
    narrow(session, Scope(club_id))
    for *club, device_id, role, author, used_at in session.ask(
        _ENTERED, digest=digest(key), session=session_id
    ):
        holder = holder_of(device_id)
        return Access(club_id, Role(role), author, holder, used_at), ClubView(*club)
    must_not_have_left(session)
    raise NotSignedIn(
        say("This device was let out, or the club's keys were changed; enter its passcode again.")
    )


def holder_of(device_id: int) -> str:
    """Return a device's name as the ``holder`` of an access: "device 7"."""
    return f"device {device_id}"


def clubs_of(session: ScopedSession, keys: Mapping[int, str]) -> list[tuple[Access, ClubView]]:
    """Return the access and club of each device key that is valid; ``keys`` maps club ids to keys.

    ``session`` is for every club. The access has no holder.
    """
    query = select(Device, Club).join(Club, col(Club.id) == Device.club_id)
    # The index of digests begins with the club; without it PostgreSQL would read every device.
    query = query.where(
        col(Device.club_id).in_(list(keys)),
        col(Device.digest).in_(list(map(digest, keys.values()))),
        *IN,
    )
    return [
        (Access(club.id, Role(device.role), device.author), of_row(ClubView, club))
        for device, club in session.exec(query)
    ]


def admit(db: Database, access: Access, device: ClientDevice, *, link_id: int | None = None) -> str:
    """Admit a device with the role of ``access``, as ``add`` does; return the key for its cookie.

    An admitted device keeps a role with more permissions, and is then not revoked with this link.
    """
    with _writing(db, access.club_id) as session:
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
    """Admit a device in the caller's write transaction; return the key for its cookie.

    An admitted device keeps a role with more permissions; a viewer's access changes nothing for it. If its
    role does not change, it keeps its key; any other device gets ``key`` or a new one. A new device or role
    is logged, and viewers' devices beyond ``MOST_VIEWERS`` are deleted.
    """
    role, at = access.role, now()
    old_key = device.keys.get(access.club_id)
    row, is_in = _of_key(session, old_key)
    epoch = session.exec(select(Club.devices_epoch)).one()
    if row and is_in and ROLES.index(Role(row.role)) <= ROLES.index(role):
        if role is Role.VIEWER:
            return device.keys[access.club_id]
        if row.role != role or row.link_id is None:
            link_id = row.link_id
        role = Role(row.role)
    if old_key and row and is_in and row.role == role:
        key = old_key
    key = key or new_key()
    if row is None or row.role != role:
        events.note(session, Event.CAME, access, kind=device.kind, role=role)
    values = _values(access.author, role, epoch, device, key)
    values |= {"link_id": link_id, "last_used_at": at}
    if row is None:
        session.add(Device(created_at=at, **values))
    else:
        row.sqlmodel_update(values)
    _delete_old_viewers(session)
    return key


def adopt(
    db: Database, club_id: int, old: Mapping[str, Any], key: str, device: ClientDevice
) -> None:
    """Admit a device with a valid cookie from a version that had no list of devices.

    An invalid cookie changes nothing, nor does one adopted before, even if the device was revoked since.
    """
    with suppress(NoSuchClub), _writing(db, club_id) as session:
        if session.exec(select(Device.id).where(Device.digest == digest(key))).first() is not None:
            return
        epoch = session.exec(select(Club.devices_epoch)).one_or_none()
        is_viewer = old["role"] == Role.VIEWER
        link = _link_of(session, old["seal"]) if is_viewer else None
        if epoch is None or (link is None if is_viewer else old["seal"] != str(epoch)):
            return
        session.author = old["author"]
        role, at = Role.VIEWER if is_viewer else Role.SCORER, now()
        values = _values(old["author"], role, epoch, device, key)
        values |= {"link_id": link.id if link else None, "last_used_at": at}
        session.add(Device(created_at=at, **values))


def list_all(session: ScopedSession, access: Access) -> list[DeviceView]:
    """Return the club's admitted devices, last used first. For owners only; revoked ones are left out."""
    access.must_own()
    query = select(Device).join(Club, col(Club.id) == Device.club_id).where(*IN)
    rows = session.exec(query.order_by(col(Device.last_used_at).desc(), col(Device.id).desc()))
    return [of_row(DeviceView, row) for row in rows]


def one(session: ScopedSession, access: Access, device_id: int) -> DeviceView:
    """Return the view of a device that is admitted now. Raises ``NotFound``. For owners only."""
    access.must_own()
    return of_row(DeviceView, find(session, device_id))


def find(session: ScopedSession, device_id: int) -> Device:
    """Return the row of a device that is admitted now. Raises ``NotFound``, also for a revoked one."""
    query = select(Device).join(Club, col(Club.id) == Device.club_id)
    return session.one(query.where(Device.id == device_id, *IN), "device")


def change_role(db: Database, access: Access, device_id: int, *, role: Role) -> DeviceView:
    """Change a device's role, log it, and detach the device from its link; the same role changes nothing.

    Otherwise a scorer, who may renew viewer links, could revoke an owner admitted by one. For owners only.
    Raises ``NotFound``, and ``LastOwner`` as ``owners.must_remain`` does.
    """
    access.must_own()
    with db.write(access) as session:
        row = find(session, device_id)
        if row.role != role:
            with owners.must_remain(session):
                before, row.role, row.link_id = row.role, role.value, None
                row.epoch = session.exec(select(Club.devices_epoch)).one()
            events.note(session, Event.ROLE, access, **_details(row), before=before, role=role)
    return of_row(DeviceView, row)


def revoke(db: Database, access: Access, device_id: int) -> DeviceView:
    """Revoke an admitted device and log it. For owners only.

    Raises ``NotFound``, and ``LastOwner`` as ``owners.must_remain`` does.
    """
    access.must_own()
    with db.write(access) as session:
        row = find(session, device_id)
        with owners.must_remain(session):
            row.revoked_at = now()
        events.note(session, Event.OUT, access, **_details(row))
    return of_row(DeviceView, row)


def leave(db: Database, club_id: int, device: ClientDevice) -> None:
    """Revoke the requesting device itself, with every copy of its cookie, and log it.

    A device without a valid key for the club changes nothing. Raises ``LastOwner`` as
    ``owners.must_remain`` does, and ``Moved`` if the club has left.
    """
    with db.read() as session:
        narrow(session, Scope(club_id))
        must_not_have_left(session)
    with suppress(NoSuchClub), _writing(db, club_id) as session:
        row, _ = _of_key(session, device.keys.get(club_id))
        if row:
            with owners.must_remain(session):
                row.revoked_at = now()
            access = Access(club_id, Role(row.role), row.author)
            session.author = row.author
            events.note(session, Event.LEFT, access, **_details(row))


def own(db: Database, access: Access) -> None:
    """Give the owner's role to the requesting scorer's device, and log it.

    Raises ``HasOwner`` if the club has an owner. The caller checks the passcode.
    """
    with db.write(access) as session:
        if owners.exist(session):
            raise HasOwner
        row = find(session, int(access.holder.removeprefix("device ")))
        before, row.role, row.link_id = row.role, Role.OWNER.value, None
        events.note(session, Event.ROLE, access, **_details(row), before=before, role=row.role)


@contextmanager
def _writing(db: Database, club_id: int) -> Iterator[ScopedSession]:
    """Open a write transaction in a club, for any role, and lock the club before anything is read.

    Else two owners could leave at once, each seeing the other one. Raises ``NoSuchClub``.
    """
    with db.write() as session:
        narrow(session, Scope(club_id))
        session.lock()
        yield session


def _values(author: str, role: Role, epoch: int, device: ClientDevice, key: str) -> dict[str, Any]:
    return {
        "author": author,
        "role": role.value,
        "epoch": epoch,
        "kind": device.kind,
        "network": device.origin.network,
        "digest": digest(key),
    }


def _of_key(session: ScopedSession, key: str | None) -> tuple[Device | None, bool]:
    """Return the device with a key, None if it was revoked or doesn't exist, and whether it is admitted.

    A scorer's device that must enter a new passcode is returned, but not admitted.
    """
    query = select(Device, and_(*IN)).join(Club, col(Club.id) == Device.club_id)
    query = query.where(Device.digest == digest(key or ""), NOT_REVOKED)
    row = session.exec(query).one_or_none()
    return (row[0], bool(row[1])) if row else (None, False)


def _link_of(session: ScopedSession, seal: str) -> Link | None:
    """Return the viewer link with a digest that begins with ``seal``, expired or not; None if it was revoked.

    Old cookies store that beginning.
    """
    query = select(Link).where(col(Link.digest).startswith(seal), Link.role == Role.VIEWER.value)
    return session.exec(query.where(col(Link.revoked_at).is_(None))).first()


def _details(row: Device) -> dict[str, str]:
    return {"author": row.author, "kind": row.kind}


def _delete_old_viewers(session: ScopedSession) -> None:
    """Delete the viewers' devices beyond the ``MOST_VIEWERS`` last used.

    Many are programs that preview links. The newest stays, even if a clock that was put back makes it the one
    used longest ago.
    """
    viewers = select(Device.id).where(Device.role == Role.VIEWER.value)
    newest = viewers.order_by(col(Device.last_used_at).desc(), col(Device.id).desc()).limit(
        MOST_VIEWERS
    )
    session.flush()
    last = session.exec(select(func.max(Device.id))).one()
    others = delete(Device).where(col(Device.role) == Role.VIEWER.value, col(Device.id) != last)
    session.exec(others.where(col(Device.id).not_in(newest)))
